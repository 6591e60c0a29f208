"""Words in which players tell of an irregularity, in English and Spanish, and what they must say to mean each kind.

Words are without accents. A star stands for any ending, an underscore joins words that follow each other.
"""

from collections.abc import Mapping
from typing import Final

NOTIONS: Final[Mapping[str, str]] = {
    "advice": "aconsej* advice advise* chiva* chivo consej* hinted le_dijo_que_echar sopl* told_her_what told_him_what "
    "told_them_what",
    "accident": "by_accident por_accidente sin_darse_cuenta sin_querer",
    "adjacent": "adjacent al_lado consecutive consecutivos in_a_row juntos next_to pegado_a pegados "
    "seguidos side_by_side together",
    "agree": "acuerdo agree* agreement coinciden conforme*",
    "assign": "apuntado apuntaron gave given puesto pusieron puso",
    "badsum": "contado_mal does_not_add_up doesnt_add_up dont_add_up mal_contado mal_contados miscount* no_cuadra*",
    "before": "antes before",
    "bothwant": "la_queremos_los_dos la_quieren_dos lo_pidieron_dos",
    "but": "but pero y_era y_eran y_tocaba",
    "card": "card cards carta carta_de_menos carta_mas carta_menos cartas cartas_mas foreign_card "
    "mas_cartas naipe naipes",
    "change": "cambi* chang* otra_en_su_lugar rectific* swap*",
    "claim": "bought buy buying claim* contra de_contra may_i",
    "climb": "me_he_subido me_subo puede_subir puedo_subir quiere_subir quiero_subir se_ha_subido "
    "se_quiere_subir se_sube se_subio subirme subirse",
    "close": "acabado acabo am_out be_out cerraba cerrado cerrando cerrar cerraron cerre cerro cierra "
    "cierre clos* declared_out ended_the_hand ends_the_hand finish* finished go_out goes_out going_out "
    "gone_out ido irse is_out knock* me_fui me_voy rummy se_fue se_va terminado termino was_out went_out",
    "contract": "contract* contrato* required requirement requires tocaba y_tocaba",
    "covered": "buried cover* pisad* pisar piso tapad*",
    "facedown": "boca_abajo face_down facing_down",
    "cut": "cortado cortar cortaron corte corto cut cuts cutting nadie_corto nadie_ha_cortado nobody_cut",
    "cutoff": "cut_off",
    "deadhand": "dead_hand hand_by_hand mano_a_mano no_cerro_nadie no_cierra_nadie nobody_closed nobody_closes "
    "sin_cierre",
    "deal": "dado dando dar deal dealer dealing deals dealt di dieron dio gave given received recibi* redeal repart* "
    "wrong_dealer",
    "direction": "a_la_derecha a_la_izquierda al_reves anticlockwise clockwise direction sentido to_the_left "
    "to_the_right way_around way_round",
    "discard": "descart* discard* echado echar eche echo soltado soltar solte solto threw threw_away throw "
    "thrown tirado tirar tire tiro",
    "dispute": "argu* complain* contest* desacuerdo dicen_que disagree* discrep* discus* discut* disput* "
    "does_not_accept doesnt_accept impugn* no_acept* no_coincid* no_esta_conforme protest* quarrel* "
    "quej* reclam* refused_to_accept refuses_to wont_accept",
    "draw": "agarrar agarro coge coger cogi cogido cogio cojo comio draw drawing drawn draws drew got grab* "
    "jalo llevado llevarse lleve llevo pick picked picking picks roba robado robar robe robo saco "
    "steal steals stole stolen take taken takes taking tomado tomar tome tomo took",
    "drop": "cae caen caer caido came_off cayeron cayo drop* escap* fallen falls fell fell_over "
    "knocked_over slip* tipped volcado volcar volco",
    "due": "le_tocaba me_tocaba te_tocaba tocaba_a",
    "duplicate": "bent damaged defectuos* doblad* doble* duplicate* imperfect* incomplet* isnt_complete "
    "marcad* marked no_esta_completa no_esta_completo not_complete repeated repetid* rota roto torn",
    "everyone": "ellos everybody everyone todo_el_mundo todos",
    "expose": "al_reves_en boca_arriba dado_la_vuelta del_reves descubiert* descubrio destap* exposed "
    "exposing face_up facing_up flip* girado giro reveal* se_ve se_veia se_ven show showing shows "
    "turned turned_over turned_up turns uncover* upside_down visible volte* vuelta wrong_way_up",
    "extra": "additional another_deck carta_mas cartas_mas de_mas de_sobra demasiad* extra le_sobra "
    "le_sobraba mas_cartas me_sobra me_sobraba one_more otra_baraja sobra* sobraba too_many una_mas",
    "face": "ace aces as ases dama damas jack jacks jota jotas king kings queen queens reina reinas rey reyes sota",
    "foreign": "another_deck another_pack different_deck different_pack foreign_card other_deck "
    "other_pack otra_baraja otro_mazo strange_card",
    "forgot": "forg* miss missed olvid* se_le_paso se_me_paso",
    "gone": "falta faltaba faltan missing",
    "hand": "hand hands mano mi_juego su_juego",
    "have": "got had has have hold holding holds i_am im le_falta le_faltan le_sobra le_sobraba lleva "
    "me_falta me_faltan me_sobra me_sobraba tengo tenia tiene tienes",
    "inhand": "a_la_mano a_su_mano con_cartas_en_la_mano con_una_carta_en_la_mano en_la_mano en_su_mano in_her_hand "
    "in_his_hand into_her_hand into_his_hand "
    "into_my_hand into_their_hand with_a_card_in_hand with_cards_in_hand",
    "instead": "but_should deberia debia en_lugar en_vez instead should supposed tocaban",
    "joker": "comodin* jocker* joker* mono monos",
    "lefttable": "abandona_la_mesa abandono_la_mesa has_left_the_table leaves_the_table left_the_table "
    "se_ha_ido_de_la_mesa se_fue_de_la_mesa se_va_de_la_mesa walked_away walks_away",
    "gonehome": "gone_home goes_home se_fue_a_casa se_ha_ido_a_casa se_va_a_casa se_marcha se_marcho went_home",
    "midhand": "a_mitad_de_la_mano a_mitad_de_mano a_media_mano durante_la_mano during_a_hand during_the_hand "
    "en_mitad_de_la_mano in_mid_hand in_the_middle_of_a_hand in_the_middle_of_the_hand",
    "keep": "guard* keep keeps kept quedado quedo",
    "late": "a_tiempo already demasiado_lento demasiado_tarde in_time late muy_rapido no_le_dio_tiempo "
    "no_le_ha_dado_tiempo no_me_dio_tiempo no_me_ha_dado_tiempo so_fast tan_rapido tarde too_fast "
    "too_late too_quick* too_slow ya_habia ya_se_habia",
    "laydown": "abat* abierto abrio baja bajad* bajando bajar bajarme bajaron bajarse baje bajo being_down "
    "came_down come_down comes_down expuso go_down goes_down going_down gone_down is_down laid "
    "laid_down laid_it_down lay lay_down laydown layed laying_down lays_down melded opened put_down "
    "put_it_down put_them_down puts_down putting_down was_down went_down",
    "layoff": "added_to adds_to coloc* laid_off lay_off layed_off laying_off lays_off",
    "lie": "enganado engano falsely la_verdad lie lied lies lying mient* mint* the_truth untruth*",
    "look": "check* contando counted counting counts curiose* dig digging digs dug escarb* espi* exten* "
    "fisg* go_through goes_through going_through hojea* hurg* leaf* levanta levantado levantar levanto "
    "lift* look* mira* mire miro peek* rebusc* revis* rummag* saw search* see seen sees spread* ver "
    "viendo vio visto went_through",
    "lower": "anteriores below buried debajo earlier old_discards older por_debajo primeras under underneath",
    "many": "cuantas how_many",
    "meld": "combinacion* corrida* escalera* meld* run runs sequence* set sets straight* tercia* trio trios",
    "misdeal": "mal_repart* misdeal* misdealt no_le_tocaba_repartir repart*_mal",
    "misfit": "didnt_belong didnt_fit different_suit does_not_belong does_not_fit does_not_go doesnt_belong "
    "doesnt_fit doesnt_go gap hueco misfit no_cabe no_corresponde no_encaj* no_entra no_iba no_liga "
    "no_pega no_pegaba no_va not_belong not_fit otro_palo palo_distinto palo_equivocado sin_encajar "
    "wrong_suit",
    "move": "cambi* exchang* intercambi* mov* mueve* replac* sacado sacar saco sustitu* swap* took took_back",
    "next": "next proxima siguiente",
    "not": "arent cannot cant couldnt didnt doesnt dont hasnt havent isnt nadie_corto nadie_ha_cortado "
    "neither never ni no nobody_cut nor not nunca sin wasnt werent without wont",
    "number": "10 103 105 107 109 11 12 13 14 2 3 4 40 48 5 50 51 53 55 6 7 8 9 catorce cinco cuatro "
    "diez doce dos eight eleven five four fourteen nine nueve ocho once seis seven siete six ten "
    "thirteen three trece tres twelve two",
    "oneclaims": "one_says uno_dice",
    "only": "just only solamente solo",
    "other": "los_demas other other_people other_player others otra otro",
    "ours": "her his its mi my su their",
    "outofturn": "adelantad* adelanto ahead_of_her_turn ahead_of_his_turn ahead_of_me "
    "another_players_turn antes_de_que_le_tocara antes_de_que_me_tocara antes_de_su_turno "
    "antes_de_tiempo before_her_turn before_his_turn before_it_was before_my_turn "
    "cuando_no_era_su_turno de_turno_equivocado drew_before equivocado_de_turno fuera_de_mi_turno "
    "fuera_de_su_turno fuera_de_turno fuera_del_turno got_skipped han_saltado hemos_saltado jumped_in "
    "jumped_the_queue me_saltaron no_era_mi_turno no_era_su_turno no_le_tocaba no_me_tocaba "
    "not_her_turn not_his_turn not_my_turn not_their_turn not_your_turn out_of_order out_of_turn "
    "passed_over played_ahead played_before se_colo se_ha_colado se_ha_saltado se_han_saltado se_salto "
    "sin_que_le_tocara sin_que_me_tocara sin_ser_su_turno sin_tocarle sin_tocarme somebody_elses_turn "
    "someone_elses_turn too_early too_soon took_her_turn took_his_turn took_my_turn turno_equivocado "
    "was_skipped wasnt_her_turn wasnt_his_turn wasnt_my_turn wasnt_their_turn went_before wrong_order "
    "wrong_turn",
    "owe": "owe owed owes owing",
    "pack": "baraja barajas deck decks pack packs",
    "penalty": "carta_extra castigo* extra_card penal*_card penalizacion penalty punishment",
    "pile": "descartes discard_pile discarded_cards discards monton_de_descartes pila_de_descartes pile pozo",
    "runout": "agot* exhausted is_empty no_hay_mas_cartas no_more_cards no_quedan_cartas ran_out run_out runs_out "
    "se_acaba se_acabo se_ha_acabado se_ha_terminado se_termina se_termino no_cards_left no_cards_are_left",
    "play": "jug* play*",
    "presa": "card_laid_is card_on_the_table_is carta_en_la_mesa presa",
    "priority": "before_me came_first come_first comes_first iba_antes mine_first my_turn_first "
    "preferencia primero priority voy_antes was_first",
    "quantity": "cantidad_de_cartas number_of_cards numero_de_cartas",
    "regret": "arrepient* arrepint* changed_her_mind changed_his_mind changed_my_mind regret*",
    "said": "announced canto declared dice dicho dijo said say says",
    "same": "misma mismo same",
    "score": "acta add_up added_up adding addition anot* apunt* cuenta hoja menos_10 menos_diez "
    "minus_ten point points punto puntos puntuacion* puntuado puntuo result resultado score* scoring "
    "sheet sum suma sumado sumar sumas sumo sums tanteo tantos total totals written_down wrote_down",
    "short": "carta_de_menos carta_menos de_menos falta faltaba faltan fewer incomplet* le_falta "
    "le_faltan less me_falta me_faltan menos_de_la_cuenta missing one_less short too_few too_little "
    "una_menos",
    "show": "dejo_ver ensen* flash* mostr* muestr* reveal* saw see seen show showed "
    "showing shown shows vieron vio visto",
    "shuffle": "barajado barajar barajaron baraje barajeado barajeo barajo shuffl*",
    "skip": "saltado saltamos saltaron salto skip*",
    "start": "al_empezar al_principio at_the_beginning at_the_start empezado empezo empiezo "
    "starting_with starts starts_with to_begin_with",
    "stayed": "aun left queda quedaba quedaban quedan remaining still todavia",
    "stock": "baceta deck draw_pile drawpile mazo monton stock talon",
    "swapped": "cambiados intercambiados mixed_up se_cambiaron se_han_cambiado swapped",
    "takeback": "back cards_back deshac* pick_up_again picked_up_again recoger recuper* retirar "
    "take_back takes_back taking_back took_back undo volver_a_coger",
    "top": "de_arriba de_encima top_card",
    "turn": "her_go his_go my_go their_go turn turno your_go",
    "twice": "dos_turnos dos_veces twice two_turns",
    "two": "2 ambos both dos two",
    "want": "ask* both_claim* call* ped* pid* piden querem* queremos queria* quier* want* wanted wish*",
    "without": "sin without",
    "won": "gana ganado gano winner wins won",
    "wrong": "arent_right arent_supposed bad badly couldnt couldnt_go el_que_no_era equivoc* erron* "
    "error* falsa false falsely falso ilegal* illegal* incorrect* indebid* invalid isnt_allowed "
    "isnt_right isnt_supposed la_que_no_era lo_que_no_era mal malo mistak* no_debia no_era no_eran "
    "no_es_correct* no_le_correspondia no_me_correspondia no_podia* no_se_podia no_se_puede no_vale "
    "no_valia* no_valido not_allowed not_correct not_legal not_permitted not_right not_supposed "
    "not_valid prohibid* que_no_era que_no_es shouldnt sin_poder wasnt_allowed wasnt_supposed "
    "werent_supposed wrong*",
    "wrongperson": "el_que_no_era la_que_no_era no_le_tocaba_repartir not_the_dealers quien_no_debia "
    "quien_no_era quien_no_le_tocaba quien_no_tocaba wrong_dealer wrong_one wrong_person wrong_player",
}
"""Words by what they stand for; a word may stand for several notions."""

CLUES: Final[Mapping[str, tuple[str, ...]]] = {
    "play-out-of-turn": (
        *("outofturn", "outofturn play|draw", "twice play", "turn not play|draw"),
        *("wrongperson turn|play !deal", "wrongperson turn draw", "due play !deal !meld", "wrong person turn"),
        *("skip play", "skip person", "skip wrong", "skip turn", "skip play wrong", "turn wrong"),
        *("wrongperson draw !deal",),
    ),
    "illegal-draw": (
        *("look stock", "draw two stock", "draw stock wrong", "draw stock extra", "look stock not"),
        *("draw two card !claim !discard !score !want !laydown", "draw two stock instead"),
        *("draw two stock adjacent", "draw twice", "draw extra stock", "draw extra card stock"),
        *("draw extra card", "draw twice turn", "draw two adjacent", "draw two card adjacent"),
        *("look stock expose card", "draw stock pile !claim", "draw number stock !score !claim", "look top"),
        *("look top card", "look top not", "look top card not", "draw card wrong", "stock two card"),
        *("look top card stock", "look stock card", "look next card"),
    ),
    "exposed-card": (
        *("stock expose", "stock drop", "stock expose card", "stock drop show|look card", "stock show drop"),
        *("stock expose show", "stock drop card"),
    ),
    "incorrect-hand": (
        *("deal extra card !score", "deal short card !score", "deal number instead !score"),
        *("deal short !score", "deal wrong quantity !score", "number instead start !score"),
        *("number instead start card have !score", "deal wrong quantity card !score"),
        *("deal short extra !score", "deal number only !score", "deal number only card !score"),
        *("deal number instead card !score", "deal number contract !score", "deal number contract card !score"),
        *("deal forgot card !score !cut !shuffle", "deal number but", "deal number but card"),
        *("start short card", "start extra card", "deal extra wrong", "deal number card only"),
        *("deal extra !score",),
    ),
    "imperfect-pack": (
        *("pack short", "pack extra card", "pack extra", "pack duplicate", "foreign card"),
        *("pack joker short|extra", "face number pack !many", "joker only number", "duplicate card !discard"),
        *("stock short card", "pack short card", "pack joker number only", "pack joker short", "pack not face"),
        *("pack not face have", "foreign extra card", "gone card !have", "joker gone|extra !have !meld"),
        *("pack have number card !deal",),
    ),
    "superfluous-cards": (
        *("misfit meld", "misfit layoff", "misfit card", "meld extra card", "meld wrong card"),
        *("misfit meld card", "misfit layoff card", "layoff wrong", "layoff wrong card", "layoff misfit"),
        *("meld wrong layoff", "meld extra !laydown !want"),
    ),
    "scoring-error": (
        *("score wrong", "score wrongperson", "score deal other", "score mistake", "badsum", "score badsum"),
        *("score extra !have", "score deal extra", "score number instead", "score assign other"),
        *("score swapped", "score swapped wrong", "score change wrong", "score said instead"),
    ),
    "wrong-lay-down": (
        *("laydown wrong", "laydown without|not", "laydown takeback", "laydown short", "laydown not meld"),
        *("layoff without laydown", "layoff not laydown", "laydown wrong meld", "laydown takeback want"),
        *("laydown takeback card", "climb", "laydown climb", "regret laydown", "laydown without contract"),
        *("laydown only meld", "laydown not contract", "laydown meld without", "laydown without meld"),
        *("meld wrong laydown", "contract wrong", "laydown short meld", "laydown short meld card"),
        *("laydown have short card meld", "laydown meld contract but", "laydown meld but", "meld wrong !card !layoff"),
        *("layoff before laydown", "layoff before", "meld takeback"),
    ),
    "false-close": (
        *("close wrong", "close not", "close stayed card", "close said not", "close score extra"),
        *("close stayed card said", "close without", "close card inhand", "close have card wrong"),
        *("close said have card stayed", "close without layoff", "close card inhand said", "close said wrong"),
        *("close not|without laydown", "close misfit card", "close misfit", "close have stayed card"),
        *("close inhand", "close card inhand", "close inhand card"),
        *("close score number", "close number score extra", "close extra", "close extra card"),
    ),
    "wrong-claim": (
        *("claim covered", "claim wrong", "claim late", "claim forgot", "claim not", "draw covered"),
        *("claim covered card", "two want same", "two want discard|pile", "two want same pile|discard"),
        *("claim want discard", "claim late discard", "claim want late discard", "claim forgot discard"),
        *("claim forgot card", "two want same pile card", "claim not card", "covered card", "covered discard"),
        *("two want card", "two want card same", "want card late", "want discard late"),
        *("outofturn discard priority", "outofturn card priority", "claim priority", "late claim"),
        *("late claim covered", "want covered card", "claim regret", "two same card want", "want same !score"),
        *("claim same", "claim same want", "bothwant", "bothwant card", "want forgot", "want forgot card"),
        *("claim two", "draw discard priority"),
    ),
    "forgotten-penalty-card": (
        *("penalty forgot", "penalty not", "penalty short", "penalty not claim", "penalty not outofturn"),
        *("claim not draw stock", "penalty not draw claim", "penalty not draw", "penalty forgot card"),
        *("penalty short card", "claim not draw stock card", "penalty owe", "penalty forgot draw"),
        *("penalty owe card", "penalty not card", "claim not penalty draw", "penalty forgot claim"),
        *("penalty short draw", "penalty skip", "penalty not draw discard", "claim forgot extra"),
        *("claim forgot extra card",),
    ),
    "wrong-count": (
        *("have extra card", "have short card", "short card", "forgot discard", "not discard draw", "lie many"),
        *("lie many card", "have number instead card", "number instead card", "short card hand", "forgot draw"),
        *("forgot draw turn", "discard twice"),
        *("not discard !claim !look !want !outofturn !wrong !score !penalty", "said number have"),
        *("said number have card", "have more quantity", "lie quantity", "forgot draw card"),
        *("hand wrong quantity", "wrong quantity", "have wrong quantity", "hand have wrong quantity"),
        *("lie card have", "dispute many", "not said many", "extra card", "discard two card"),
        *("extra card number", "not discard turn !claim !look !want", "not many", "not many have card"),
        *("not want many card have", "lie card"),
        *("have number card !pack !deal !draw !meld !close !laydown !score",),
    ),
    "misdeal": (
        *(
            "cut wrong",
            "cut wrongperson",
            "wrong cut deal",
            "misdeal",
            "deal expose",
            "deal show",
            "deal wrongperson",
            "deal wrong",
            "deal cut not|forgot",
        ),
        *("deal direction", "deal expose card", "deal show card", "deal wrong direction", "cut not"),
        *("cut forgot", "deal wrong card", "shuffle not", "shuffle forgot", "shuffle wrong"),
        *("shuffle not card", "deal other !score !short !extra !number", "deal direction instead"),
        *("deal look card", "deal expose pack", "deal twice", "deal not contract !meld !laydown !score"),
        *("cut not card", "deal outofturn !claim !discard"),
    ),
    "shown-card": (
        *("discard facedown", "card facedown !deal !claim", "discard card facedown", "facedown pile"),
        *("show card", "drop card", "drop card expose", "discard change", "discard takeback"),
        *("wrong card discard", "presa", "pile change card", "pile wrong card", "pile wrong card change"),
        *("drop card hand", "drop card show", "wrong card discard change", "discard change card"),
        *("discard takeback want", "show hand other|everyone", "show hand", "discard wrong"),
        *("drop card show hand", "discard regret", "discard wrong card", "look card other|everyone"),
        *("takeback discard keep", "takeback pile", "takeback pile card", "show joker", "takeback discard"),
        *("card takeback", "card takeback want"),
    ),
    "disputed-score": (
        *("score dispute", "score agree not", "dispute score hand", "score dispute not"),
        *("score agree not hand", "dispute not score", "score dispute wrong", "score dispute card"),
        *("dispute score want", "oneclaims number", "oneclaims score", "agree not close", "dispute close"),
        *("claim score short", "dispute won", "dispute won hand"),
    ),
    "wrong-joker": (
        *("joker move wrong", "joker move not", "joker adjacent", "joker two adjacent", "joker inhand"),
        *("joker move meld", "joker move inhand", "joker adjacent meld", "joker two adjacent meld"),
        *("joker move wrong card", "joker wrong", "joker move keep", "joker draw keep"),
        *("joker draw meld other", "joker move other", "joker move meld other", "joker draw inhand"),
        *("joker draw meld", "joker keep"),
    ),
    "empty-stock": (
        *("runout stock", "runout stock draw", "runout stock card", "stock runout not", "runout draw !claim"),
        *("stock runout stayed card", "runout stayed stock card"),
    ),
    "two-closes": (
        *("two close !card !inhand !stayed !score !have !meld !draw !said !layoff", "two close number said"),
        *("two close same", "two close turn", "bothclose", "two close play !card !inhand !stayed !score !have !meld"),
    ),
    "player-left": ("lefttable", "lefttable midhand", "gonehome midhand", "lefttable midhand hand", "lefttable play"),
    "advice": (
        "advice",
        "advice play",
        "advice other",
        "advice card",
        "advice discard",
        "advice play card",
        "advice other play",
    ),
    "pile-searched": (
        *("look pile", "look discard", "look lower discard|pile", "look pile card", "look lower pile card"),
        *("look card discard", "pile look counting", "look pile want", "look discard want", "look lower"),
    ),
}
"""Clues that mean each kind: all notions of a clue (of those with a bar, one) must be said, none that follows a `!`."""

_ORDINARY: Final = (
    "abierta abiertos about accent acepta aceptan acted after again against ahora algo alguien all "
    "allow alto always announces another ante anterior antes aqui arbiter arbitro ases ayer bano "
    "bateria bebida been beer begins being bien bote brought bueno buying cada calle cansado canta "
    "cara card cards carpeta carpetas casa casado cena cerca cero ceros cerveza chained chair claro "
    "clear clock close closely clubs codigo coffee column combinations como completada completala "
    "completar completas completos comunes conectados conseguidos consta contado contamos contar "
    "content contents conto contrario contrato controla corazon corazones core cores correccion "
    "correcciones corresponden corrija corrijan cosa costar could count country creo cual cuando "
    "cuanta cuanto cuantos cuarenta cuarta cuarto cuenta cuentan cuentas cuente cuento cuesta damage "
    "damas danado danados dano debian decimas declare declares dedo default defecto dejando dentro "
    "derecho desaparece desapareceria desear despacio despues details dia diamante diamantes "
    "diamonds difference differently dinero dinner distinta distintas distintos donde door drink "
    "duele each early eighth ello else empate empezaron empieza encima encuentro entera entra "
    "entrada entran entrant entre entrega escala escribe escribela escribelas escribelo escriben "
    "escribes escribiendo escribieron escribio escribir escribiran espectador esta estaba estan este "
    "esto every fallos fin final first found friend from fuera fueran game ganar gente giraud give "
    "given glass good gracias great gusta habian habria hace hacer hasta hearts hecha hecho hello "
    "here high hola home hora house hoy imprimir inscribe jacks jefe jotas kings last leave left "
    "level light list little llega llegado lost luz manana mando manos mejor menor mesa mesado mesas "
    "mia minutes minuto minutos mismas mismos momento more most much mucho music musica nada nadie "
    "name need never next night noche nombre none nosotros nueva nuevo number numbered numera nunca "
    "once order ordered orders other otra otro over pagar page pairs pares partida pasa pasada "
    "pasado pasar pedido pena people permite pero persona personas phone picas place player players "
    "please poco podrias point porque posible premio primas primer primera primeros print printer "
    "prints prize pronto pudo puede pueden puedes puerta punt punta puntua queen queens question "
    "quick quien quienes rapida reading ready really recuerda recuerdan refusal register reglamento "
    "reglamentos regreso regresos reinas removes repaired repara repeat repeats repetir repetiria "
    "replay replayed replays report reported reports reyes right ronda rondas round rounded rounds "
    "ruido rules running sabe sacado sala salvo score seat seats second semana senor sentado sento "
    "serie shorter siempre siente silla sitio sitting sobre some something sort spades spectator "
    "spilled stand standing stands star start started startup states status still stocks stop "
    "stopped string summary table tables tambien tantas tanto tarde telefono tendria tengo tercio "
    "terminal terminalos terminos thank thanks that theirs them then there these they thing third "
    "thirteenth this tiempo tiene tienen time tocar today todo toilet tonight torneo totales "
    "tournament trabajo trebol treboles tres ultima ultimo una unos usted valida valio vaso venido "
    "verdad vez vinieron vino wait waiting week well went what when where which while white whole "
    "will with word work would write year"
)
NEUTRAL: Final = frozenset(_ORDINARY.split())
"""Ordinary words that are not misspellings of the words above, though they look like them."""
