"""Check the direction of play and the player who cuts, as posted lists state them, against each document's words."""

import pytest

from engine.rules import load_rules

clause = pytest.mark.clause


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        # "en sentido contrario a las agujas del reloj"
        pytest.param("oficial", "anticlockwise", marks=clause("003/1.4/direction"), id="oficial"),
        # "one at a time, anticlockwise"
        pytest.param("fournier", "anticlockwise", marks=clause("000/1.4/one-by-one"), id="fournier"),
        # "the subsequent deals are passed to the left"
        pytest.param("knock", "clockwise", marks=clause("001/1.4/deal-to-the-left"), id="knock"),
        # "the player to the left of the dealer", "closest to the left"
        pytest.param("continental-rummy", "clockwise", marks=clause("002/1.6/closest-left"), id="continental-rummy"),
        # "proceeds clockwise"
        pytest.param("zoliky", "clockwise", marks=clause("004/1.4/clockwise"), id="zoliky"),
    ],
)
def test_the_direction_of_play_is_that_of_the_document(name: str, direction: str) -> None:
    assert load_rules(name).table.direction == direction


@pytest.mark.parametrize(
    ("name", "cutter"),
    [
        # "lo dará a cortar al siguiente jugador"
        pytest.param("oficial", "next", marks=clause("003/1.4/cut"), id="oficial"),
        # "cut by the player to the dealer's left", who plays before the dealer when play is anticlockwise
        pytest.param("fournier", "previous", marks=clause("000/1.4/cut"), id="fournier"),
    ],
)
def test_the_player_named_by_the_document_cuts(name: str, cutter: str) -> None:
    assert load_rules(name).table.cut == cutter
