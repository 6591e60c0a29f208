"""What a league's games follow from, each source by itself: the deals, and each bot's own randomness.

All are sealed texts of the league's seed and the block's number. So a block gives the same whoever plays it and
whenever, a bot cannot work out a deal, and what one bot draws changes neither the deals nor what others draw.
"""

from engine.seeds import Stream, sealed


def deal_seed(league_seed: str, block: int, deal: int) -> str:
    """The seed of a deal of a block: its games are dealt from it, in whatever seating."""
    return sealed(f"{league_seed}/block/{block}/deal/{deal}")


def bot_seed(league_seed: str, block: int, deal: int, seat: int, entrant: str) -> str:
    """The seed of an entrant's own randomness at that seat, the same in every game of a deal."""
    return sealed(f"{league_seed}/block/{block}/deal/{deal}/seat/{seat}/bot/{entrant}")


def seating_chance(league_seed: str, block: int) -> Stream:
    """What draws the seats of a block's games."""
    return Stream(sealed(f"{league_seed}/block/{block}/seating"))
