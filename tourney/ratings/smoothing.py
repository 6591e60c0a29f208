"""Smoothed ratings: the skills of all players at all of their games, from the whole history, later games included.

The model is that of TrueSkill Through Time (Dangauthier, Herbrich, Minka, Graepel, 2007): a player's skill moves from
game to game by a normal step, and messages about it are passed forwards and backwards through the history until no
skill changes. Ratings of `fold` use only earlier games. Distributions are kept as precision (1 / variance) and
precision mean (mean × precision).
"""

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import Final, cast, final

from mypy_extensions import mypyc_attr

from tourney.ratings.acceleration import KNOTS, Acceleration, Levels, shift_at
from tourney.ratings.kernel import Kernel, PlaceLink, Skill, check_game, kernel
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import DAYS_PER_YEAR, Parameters, RatingError

MAX_PASSES: Final = 200
_SETTLED: Final = 4
"""The passes after which variances have settled enough for acceleration."""
_WORSE: Final = 4.0
"""An acceleration that multiplies the least change by so much has failed."""
_LEAST_MOVE: Final = 1e-12
"""The least variance of a move, relative to a newcomer's, that counts when levels are settled."""
_BEYOND: Final = 1.0 + 1e-9
"""Position of the last knot, as a multiple of that of the last game, which lies before it."""
MIN_CHANGE: Final = 5e-3
"""The change of mu or sigma at which passes end: smaller than the digits that a page shows."""

SmoothedCurve = list[tuple[int, Skill]]
"""A player's games by number, from 1, with the smoothed skill at each."""
Progress = Callable[[int], None]
"""Called with the number of passes done."""


def smoothed_curves(
    parameters: Parameters,
    games: Sequence[GameResult],
    progress: Progress,
    days: Sequence[int] = (),
    min_change: float = MIN_CHANGE,
) -> dict[str, SmoothedCurve]:
    """Return the curve of every player, in the order of their first games.

    `days` has the day of each game, or is empty; then no time passes between games. Between two games of a player the
    variance of the skill grows by tau², and by absence² in a year, without a bound. Passes end when no mu or sigma
    changes by `min_change`, or after MAX_PASSES. Raises RatingError where the numbers overflow.
    """
    history, acceleration = _History(parameters, games, days), Acceleration()
    least = inf
    for passes in range(1, MAX_PASSES + 1):
        start = history.state()
        change = max(history.improve(), history.settle_levels())
        progress(passes)
        if change < min_change:
            break
        if change > _WORSE * least:
            acceleration.restart()
        least = min(least, change)
        if passes >= _SETTLED:
            history.set_state(acceleration.next_start(start, history.state()))
    return history.curves()


@final
@mypyc_attr(acyclic=True)
class _Player:
    """A player of the history; the message is what the games on one side, so far, say of the skill.

    `position` and `mu` are those of the game before, while levels are settled.
    """

    def __init__(self) -> None:
        self.precision = 0.0
        self.precision_mean = 0.0
        self.day = 0
        self.games = 0
        self.position = 0.0
        self.mu = 0.0


@final
@mypyc_attr(acyclic=True)
class _Node(PlaceLink):
    """A player's skill at one game, which is also the player's link in the chain of the game.

    `forward_*` is the message of the earlier games, `backward_*` that of the later ones, `likelihood_*` that of this
    game. `step` is the variance of the skill's move since the player's game before.
    """

    def __init__(self, player: _Player, place: int, step: float) -> None:
        super().__init__(0.0, 0.0)
        self.player: Final[_Player] = player
        self.place = place
        self.step: Final[float] = step
        self.forward_precision = 0.0
        self.forward_precision_mean = 0.0
        self.backward_precision = 0.0
        self.backward_precision_mean = 0.0
        self.likelihood_precision = 0.0
        self.likelihood_precision_mean = 0.0

    def receive_forward(self) -> None:
        """Take the message of the earlier games; the first game has the prior for it."""
        player = self.player
        spread = 1.0 / (1.0 + self.step * player.precision)
        self.forward_precision = player.precision * spread
        self.forward_precision_mean = player.precision_mean * spread

    def send_forward(self) -> None:
        """Pass on what the games up to this one say."""
        self.player.precision = self.forward_precision + self.likelihood_precision
        self.player.precision_mean = self.forward_precision_mean + self.likelihood_precision_mean

    def receive_backward(self) -> None:
        """Take the message of the later games."""
        self.backward_precision = self.player.precision
        self.backward_precision_mean = self.player.precision_mean

    def send_backward(self) -> None:
        """Pass on what this game and the later ones say of the skill at the game before."""
        precision = self.backward_precision + self.likelihood_precision
        spread = 1.0 / (1.0 + self.step * precision)
        self.player.precision = precision * spread
        self.player.precision_mean = (self.backward_precision_mean + self.likelihood_precision_mean) * spread

    def enter(self) -> None:
        """Set the skill as the player's other games have it."""
        precision = self.forward_precision + self.backward_precision
        self.mu = (self.forward_precision_mean + self.backward_precision_mean) / precision
        self.variance = 1.0 / precision

    def shift(self, by: float) -> None:
        """Shift the skill, and all that games before and after say of it."""
        self.mu_after += by
        self.backward_precision_mean += by * self.backward_precision
        self.likelihood_precision_mean += by * self.likelihood_precision

    def leave(self, noise: float) -> float:
        """Set what the game says of the skill; return the change of mu or of sigma."""
        precision = 1.0 / self.down_variance + 1.0 / self.up_variance - 2.0 * self.own_precision
        mean = self.down_mean / self.down_variance + self.up_mean / self.up_variance - 2.0 * self.own_precision_mean
        spread = 1.0 / (1.0 + noise * precision)
        self.likelihood_precision = precision * spread
        self.likelihood_precision_mean = mean * spread
        total = self.forward_precision + self.backward_precision + self.likelihood_precision
        mu = (self.forward_precision_mean + self.backward_precision_mean + self.likelihood_precision_mean) / total
        sigma = sqrt(1.0 / total)
        if not (-inf < mu < inf and 0.0 < sigma < inf):
            raise OverflowError("a skill that is no number")
        change = max(abs(mu - self.mu_after), abs(sigma - self.sigma_after))
        self.mu_after = mu
        self.sigma_after = sigma
        return change


@final
class _History:
    """The nodes of all games, each in the order of its places, and the players in the order of their first game."""

    def __init__(self, parameters: Parameters, games: Sequence[GameResult], days: Sequence[int]) -> None:
        self._kernel: Final[Kernel] = kernel(parameters)
        self._noise: Final[float] = parameters.beta * parameters.beta
        self._tau: Final[float] = parameters.tau * parameters.tau
        self._growth: Final[float] = parameters.absence * parameters.absence / DAYS_PER_YEAR
        variance = parameters.sigma * parameters.sigma
        if variance == 0.0 or self._noise == 0.0:
            raise _too_far_apart()
        self._precision: Final[float] = 1.0 / variance
        self._precision_mean: Final[float] = parameters.mu / variance
        self._players: Final[dict[str, _Player]] = {}
        self._games: Final[list[list[_Node]]] = []
        for number, (players, places) in enumerate(games):
            self._games.append(self._nodes(players, places, days[number] if days else 0))
        self._positions: Final[list[float]] = self._positions_of(days, _LEAST_MOVE * variance)

    def improve(self) -> float:
        """Pass through the history and back; return the greatest change of a mu or sigma."""
        try:
            return max(self._forward(), self._backward())
        except (ArithmeticError, ValueError):
            raise _too_far_apart() from None

    def settle_levels(self) -> float:
        """Shift the skills of all players at a time together, as priors and moves ask; return the greatest shift."""
        shifts, greatest = self._levels().shifts(), 0.0
        for number in range(len(self._games)):
            shift = shift_at(shifts, self._positions[number])
            greatest = max(greatest, abs(shift))
            for node in self._games[number]:
                node.shift(shift)
        return greatest

    def _levels(self) -> Levels:
        levels = Levels()
        for player in self._players.values():
            player.position = -1.0
        for number in range(len(self._games)):
            position = self._positions[number]
            for node in self._games[number]:
                player, mu = node.player, node.mu_after
                if player.position < 0.0:
                    levels.add_prior(position, mu - self._precision_mean / self._precision, self._precision)
                elif position > player.position:
                    levels.add_move(player.position, position, mu - player.mu, 1.0 / node.step)
                player.position, player.mu = position, mu
        return levels

    def _positions_of(self, days: Sequence[int], least: float) -> list[float]:
        """Return the positions of the games among the knots: how far skills have moved by then.

        Moves of less than the variance `least` count as none. Games between which a skill cannot move share a position.
        """
        tau = self._tau if self._tau >= least else 0.0
        growth = self._growth if self._growth >= least else 0.0
        if tau == 0.0 and list(days) != sorted(days):
            growth = 0.0
        moved: list[float] = []
        latest = first = days[0] if days else 0
        for number in range(len(self._games)):
            latest = max(latest, days[number] if days else first)
            moved.append(tau * float(number) + growth * float(latest - first))
        most = max(moved, default=0.0)
        return [float(KNOTS - 1) * move / (most * _BEYOND) if most > 0.0 else 0.0 for move in moved]

    def state(self) -> list[float]:
        """Return the messages about means from which the next pass starts."""
        state: list[float] = []
        for nodes in self._games:
            for node in nodes:
                state.append(node.backward_precision_mean)
                state.append(node.gap_precision_mean)
        return state

    def set_state(self, state: list[float]) -> None:
        """Start the next pass from these messages."""
        place = 0
        for nodes in self._games:
            for node in nodes:
                node.backward_precision_mean = state[place]
                node.gap_precision_mean = state[place + 1]
                place += 2

    def curves(self) -> dict[str, SmoothedCurve]:
        """Return the curve of every player."""
        names = {id(player): name for name, player in self._players.items()}
        curves: dict[str, SmoothedCurve] = {name: [] for name in self._players}
        for number, nodes in enumerate(self._games, 1):
            for node in nodes:
                curves[names[id(node.player)]].append((number, (node.mu_after, node.sigma_after)))
        return curves

    def _nodes(self, players: Sequence[str], places: Sequence[int], day: int) -> list[_Node]:
        check_game(players, places)
        nodes = []
        for name, place in zip(players, places, strict=True):
            player = self._players.setdefault(name, _Player())
            step = 0.0
            if player.games > 0:
                step = self._tau + self._growth * float(max(0, day - player.day))
            player.games += 1
            player.day = max(day, player.day)
            nodes.append(_Node(player, place, step))
        nodes.sort(key=_place)
        return nodes

    def _forward(self) -> float:
        greatest = 0.0
        for player in self._players.values():
            player.precision, player.precision_mean = self._precision, self._precision_mean
        for nodes in self._games:
            for node in nodes:
                node.receive_forward()
            greatest = max(greatest, self._play(nodes))
            for node in nodes:
                node.send_forward()
        return greatest

    def _backward(self) -> float:
        greatest = 0.0
        for player in self._players.values():
            player.precision = player.precision_mean = 0.0
        for number in range(len(self._games) - 1, -1, -1):
            nodes = self._games[number]
            for node in nodes:
                node.receive_backward()
            greatest = max(greatest, self._play(nodes))
            for node in nodes:
                node.send_backward()
        return greatest

    def _play(self, nodes: list[_Node]) -> float:
        """Update what a game says of the skills of its players; return the greatest change."""
        for node in nodes:
            node.enter()
        self._kernel.revise(cast("list[PlaceLink]", nodes))
        return max([node.leave(self._noise) for node in nodes])


def _place(node: _Node) -> int:
    return node.place


def _too_far_apart() -> RatingError:
    return RatingError(
        "these games cannot be smoothed: some players are too far apart",
        "give the pool a larger beta, or look for a wrong result",
    )
