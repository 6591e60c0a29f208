"""Reports on the sources of imported pools, and on other names of their players."""

from tourney.domain.rankings import GameSource, Pool, PoolAliases, PoolSources
from tourney.reports.render.report import Field, Fields, Report, listing, record
from tourney.text.i18n import _, ngettext


def sources(found: PoolSources) -> Report:
    """Report the sources of a pool in the order of rating."""
    title = _("Sources of the pool {pool}").format(pool=found.pool.name)
    return listing(title, _source_fields(), found.sources)


def _source_fields() -> Fields[GameSource]:
    return (
        Field("source", _("Source"), lambda source: source.name, priority=0),
        Field("games", _("Games"), lambda source: source.games, "right", priority=0),
        Field("rows", _("Rows"), lambda source: source.rows, "right", priority=3),
        Field("players", _("Players"), lambda source: source.players, "right"),
        Field("first", _("First day"), lambda source: source.first, priority=2, look="date", optional=True),
        Field("last", _("Last day"), lambda source: source.last, look="date", optional=True),
        Field("change", _("Change"), lambda source: source.entry, "right", priority=2),
    )


def source_removed(removed: tuple[Pool, GameSource]) -> Report:
    """Report that a source was removed."""
    pool, source = removed
    text = ngettext(
        "removed the source {source} from the pool {pool}: {number} game",
        "removed the source {source} from the pool {pool}: {number} games",
        source.games,
    )
    title = text.format(source=source.name, pool=pool.name, number=source.games)
    return Report(title, data={"pool": pool.name, **record(_source_fields(), source)})


def aliases(found: PoolAliases) -> Report:
    """Report the aliases in a pool."""
    fields: Fields[tuple[str, str]] = (
        Field("alias", _("Alias"), lambda row: row[0], priority=0),
        Field("player", _("Player"), lambda row: row[1], priority=0),
    )
    return listing(_("Aliases in the pool {pool}").format(pool=found.pool.name), fields, found.aliases)


def alias_added(added: tuple[Pool, str, str]) -> Report:
    """Report that the games of a name count for another player."""
    return _alias_report(_("in the pool {pool}, the games of {alias} count for {player}"), added)


def alias_removed(removed: tuple[Pool, str, str]) -> Report:
    """Report that a name is a player of its own again."""
    return _alias_report(_("in the pool {pool}, {alias} is a player of their own again, not {player}"), removed)


def _alias_report(text: str, changed: tuple[Pool, str, str]) -> Report:
    pool, alias, player = changed
    title = text.format(pool=pool.name, alias=alias, player=player)
    return Report(title, data={"pool": pool.name, "alias": alias, "player": player})
