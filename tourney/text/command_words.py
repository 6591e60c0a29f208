"""Spanish words that people type for commands and pages of the guide, whose names are English; they are suggested."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from tourney.text.names import fold

_WORDS: Final = """
    -h                  ayuda help ayudame comandos
    demo                demostracion ejemplo prueba
    guide               guia manual instrucciones
    status              estado situacion
    desk                organizacion organizar escritorio
    site                sitio alojamiento
    serve               servir servidor web pagina paginas movil moviles
    player              jugador jugadores persona personas socio socios
    player add          alta registrar apuntar añadir
    player list         lista listado ver
    player show         ficha mostrar
    player import       importar
    player rename       renombrar cambiar
    player publish      publicar
    player merge        fusionar unir juntar
    player erase        borrar eliminar
    event               torneo torneos velada veladas evento partida
    bot new             nuevo crear
    bot check           probar prueba comprobar revisar
    bot replay          reproducir partida comparar
    event new           nuevo nueva crear empezar
    event set           ajustes ajustar cambiar configurar
    event use           usar elegir
    event constrain     restriccion restricciones restringir separar
    event enter         inscribir inscripcion apuntar añadir
    event checkin       llegada llegadas llegar llego presente
    event withdraw      baja retirar retirada abandonar
    event return        vuelve volver regreso
    event list          lista listado
    event show          mostrar ver resumen
    event tie-breaks    desempate desempates
    event table-points  puntos
    event finish        terminar acabar cerrar finalizar
    event reopen        reabrir
    event delete        borrar eliminar
    event export        exportar
    event import        importar
    round               ronda rondas
    round draw          sorteo sortear emparejar emparejamientos
    round publish       publicar
    round show          mesas mostrar ver
    round substitute    sustituto suplente sustituir
    round move          mover intercambiar cambiar
    round dissolve      disolver
    round cancel        anular cancelar
    round play          jugar
    round verify        comprobar verificar
    round clock         reloj tiempo cronometro
    result              resultado resultados hoja hojas puntos puntuacion
    result enter        anotar apuntar meter añadir
    result correct      corregir correccion
    result void         anular
    result show         mostrar ver
    standings           clasificacion clasificaciones posiciones puestos ganador
    club                logotipo insignia
    club set            ajustes cambiar poner
    club show           mostrar ver
    season              temporada temporadas
    season new          nueva crear
    season set          ajustes cambiar
    season add          añadir contar
    season remove       quitar
    season delete       borrar eliminar
    season list         lista
    season show         mostrar ver
    season standings    clasificacion
    print               imprimir impresion papel
    print slips         papeletas papeleta hojas
    print wall          lista pared mesas
    print signs         carteles cartel
    print standings     clasificacion
    print certificates  diplomas diploma
    print ratings       ranking
    print rules         reglas reglamento
    ruling              decision decisiones arbitro arbitraje
    ruling add          añadir anotar
    ruling penalty      sancion sanciones castigo penalizacion
    ruling list         lista
    ruling cancel       anular
    seating             distribucion asientos
    seating plan        planificar
    seating judge       valorar juzgar
    seating advise      aconsejar consejo
    ratings             ranking rankings
    rating              puntuaciones
    rating show         mostrar ver
    rating history      historia historial evolucion
    rating explain      explicar
    rating predict      pronostico pronosticar predecir
    rating quality      calidad
    rating whatif       simular
    rating publish      publicar
    rating editions     ediciones
    rating edition      edicion
    rating calibration  calibracion
    rating fame         fama records
    rating import       importar
    rating source       fuente fuentes origen
    rating alias        nombres
    rating pool         grupo grupos
    rating compare      comparar
    rating smooth       suavizar
    rating verify       comprobar verificar
    bot                 bots maquina
    league              liga ligas
    league run          jugar empezar
    league test         probar prueba
    league resume       seguir reanudar continuar
    league join         unir juntar
    league list         lista listado
    league status       estado
    league why          porque
    league log          conversacion registro
    league part         parte repartir ordenadores
    league merge        reunir partes juntar
    league export       exportar
    league import       importar
    league book         libro repartos
    record              grabacion
    record verify       comprobar verificar
    record replay       reproducir repetir
    record show         mostrar ver
    rules               reglas reglamento reglamentos normas
    rules list          lista
    rules show          mostrar ver leer
    rules diff          diferencias comparar
    rules check         comprobar
    rules layoff        colocar
    rules arrange       ordenar bajarse
    rules score         contar puntos
    rules ruling        irregularidad irregularidades duda
    undo                deshacer
    redo                rehacer
    log                 registro cambios historial
    doctor              revisar diagnostico
    db                  base datos
    db path             ruta donde
    db check            comprobar
    db upgrade          actualizar
    db backup           copia copias guardar respaldo
    db restore          restaurar recuperar
    db mirror           espejo
    guide bots          bot robots autor
    guide bot-tests     prueba pruebas repartos version
    guide machines      maquinas ordenadores partes
    guide club-evening  velada velada-del-club noche
    guide columns       columnas
    guide commands      comandos ordenes
    guide event-file    archivo torneo exportar
    guide few-keys      teclas pocas-teclas
    guide files         archivos ficheros datos
    guide database      base-de-datos copia espejo
    guide install       instalacion instalar carpeta
    guide leagues       liga ligas
    guide limits        limites limitaciones
    guide plans         plan planes ensayo simulacion
    guide protocol      protocolo programas
    guide ratings       ranking puntuaciones
    guide result-files  resultados archivos-de-resultados
    guide rules         reglas reglamento reglamentos
    guide scoring       puntuacion desempate desempates
    guide seasons       temporada temporadas
    guide seating       mesas asientos distribucion
    guide speed         velocidad rapidez
    guide stages        fases final finales eliminatoria
    guide web           paginas pagina-web moviles
"""
"""A command or a page, and the words for it; where a word has several meanings, the first one is suggested."""

SURE: Final = 82
"""The least similarity, from 0 to 100, of what is typed to a Spanish word: one letter of six may be another."""


@cache
def spanish_words(noun: str) -> Mapping[str, str]:
    """Return Spanish words without accents, and what they mean after `noun`; "" gives those for the first word.

    Pages of the guide are meant only after its own word.
    """
    meant: dict[str, str] = {}
    for line in _WORDS.strip().splitlines():
        command, _blanks, words = line.strip().partition("  ")
        meant_here = command.startswith(f"{noun} ") if noun else not command.startswith("guide ")
        if meant_here or command == "-h":
            for word in words.split():
                meant.setdefault(fold(word), command.removeprefix(f"{noun} "))
    return meant
