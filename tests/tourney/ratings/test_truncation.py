"""Tests of the moments of truncated normals against high-precision decimals, as far out as floats go."""

import math
import random
from decimal import Decimal, localcontext
from statistics import NormalDist

import pytest
import trueskill

from tourney.ratings.kernel import rate_table
from tourney.ratings.parameters import Parameters
from tourney.ratings.truncation import FAR, draw_margin, tie, win

STATED = 1e-9
"""The greatest relative error of v, w and 1 − w beyond FAR."""

ERFC = 1.2e-7
"""The error of the erfc of `trueskill`, which we use up to FAR."""

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


# --- the second source -----------------------------------------------------------------------------------


def mills(x: Decimal) -> Decimal:
    """Return Mills' ratio at x, by a power series or, from 12 on, by the asymptotic series."""
    if x < 12:
        # The integral from 0 to x, divided by the density, is x + x³/3 + x⁵/(3·5) + …, all terms of one sign.
        term = total = x
        factor = 1
        while abs(term) > abs(total) * Decimal("1e-70"):
            factor += 2
            term *= x * x / factor
            total += term
        return (2 * PI).sqrt() / 2 * (x * x / 2).exp() - total
    term = total = 1 / x
    for odd in range(1, 200, 2):
        smaller = -term * odd / (x * x)
        if abs(smaller) >= abs(term):
            break
        term = smaller
        total += term
    return total


def true_win(gap: float) -> tuple[Decimal, Decimal, Decimal]:
    """Return v, w and 1 − w of a win with this gap."""
    x = -Decimal(gap)
    v = 1 / mills(x)
    w = v * (v - x)
    return v, w, 1 - w


def true_tie(gap: float, margin: float) -> tuple[Decimal, Decimal, Decimal]:
    """Return v, w and 1 − w of a tie, for a gap of 0 or less."""
    low, high = -Decimal(margin) - Decimal(gap), Decimal(margin) - Decimal(gap)
    # All densities and tails are divided by the density at `low`, so that nothing underflows.
    fall = ((low * low - high * high) / 2).exp()
    inside = mills(low) - fall * mills(high)
    v = (1 - fall) / inside
    w = v * v - (low - high * fall) / inside
    return v, w, 1 - w


def assert_near(given: tuple[float, ...], true: tuple[Decimal, ...], error: float) -> None:
    for value, true_value in zip(given, true, strict=True):
        assert value == pytest.approx(float(true_value), rel=error), (given, true)


# --- far out, exact --------------------------------------------------------------------------------------

FAR_GAPS = [37.500001, 38.0, 40.0, 100.0, 1234.5, 1e5, 1e8, 1e100]


@pytest.mark.parametrize("gap", FAR_GAPS)
def test_a_far_win_is_exact(gap: float) -> None:
    """The moments of a very unlikely win have nine correct digits."""
    with localcontext() as context:
        context.prec = 420
        assert_near(win(-gap), true_win(-gap), STATED)


@pytest.mark.parametrize("gap", FAR_GAPS[:-2])
@pytest.mark.parametrize("margin", [1e-9, 1e-4, 0.0125, 0.1, 1.0, 30.0])
def test_a_far_tie_is_exact(gap: float, margin: float) -> None:
    """The moments of a very unlikely tie have nine correct digits."""
    with localcontext() as context:
        context.prec = 120
        expected = true_tie(-gap - margin, margin)
    assert_near(tie(-gap - margin, margin, 0.5), expected, STATED)


@pytest.mark.parametrize("gap", FAR_GAPS)
def test_a_tie_is_symmetric(gap: float) -> None:
    """A tie lowers the stronger player as much as it raises the weaker one."""
    v, w, rest = tie(gap, 0.0125, 0.5)
    assert tie(-gap, 0.0125, 0.5) == (-v, w, rest)
    assert v < 0


def test_a_certain_win_changes_nothing() -> None:
    """Where the density underflows, v and w are 0; the package raises an error."""
    environment = trueskill.TrueSkill()
    with pytest.raises(FloatingPointError):
        environment.w_win(1e3, 0)
    assert win(1e3) == (0.0, 0.0, 1.0)


# --- near, with the package's erfc -----------------------------------------------------------------------

NEAR_GAPS = [-37.4, -30.0, -12.0, -5.0, -1.0, -0.1, 0.0, 0.3, 2.0, 9.0, 30.0]


@pytest.mark.parametrize("gap", NEAR_GAPS)
def test_a_near_win_is_the_package_s(gap: float) -> None:
    """The moments equal the package's up to rounding, and the exact ones up to the error of its erfc."""
    environment = trueskill.TrueSkill()
    v, w, rest = win(gap)
    large = max(1.0, gap * gap)
    assert v == pytest.approx(environment.v_win(gap, 0), rel=1e-15 * large)
    assert w == pytest.approx(environment.w_win(gap, 0), abs=1e-15 * large * large)
    assert rest == 1.0 - w
    with localcontext() as context:
        context.prec = 400
        true_v, true_w, _ = true_win(gap)
    assert v == pytest.approx(float(true_v), rel=2 * ERFC)
    assert w == pytest.approx(float(true_w), abs=2 * ERFC * large)


@pytest.mark.parametrize("gap", NEAR_GAPS)
@pytest.mark.parametrize("margin", [0.01, 0.1, 0.7, 3.0])
def test_a_near_tie_is_the_package_s(gap: float, margin: float) -> None:
    """The moments equal the package's up to rounding, which is multiplied by the difference of two tails."""
    environment = trueskill.TrueSkill()
    v, w, _ = tie(gap, margin, 0.5)
    rounding = 1e-13 * max(1.0, gap * gap) / margin
    assert v == pytest.approx(environment.v_draw(gap, margin), rel=rounding, abs=rounding)
    assert w == pytest.approx(environment.w_draw(gap, margin), abs=rounding)


@pytest.mark.parametrize("gap", [-3.0, -0.5, 0.0])
@pytest.mark.parametrize("margin", [1e-7, 1e-9, 1e-13])
def test_a_margin_too_narrow_for_the_package_s_erfc_is_exact(gap: float, margin: float) -> None:
    """The error of the package's w is larger than the variance that remains after the tie; ours is exact."""
    with localcontext() as context:
        context.prec = 120
        true_v, true_w, _ = true_tie(gap, margin)
    v, w, rest = tie(gap, margin, 0.5)
    assert v == pytest.approx(float(true_v), rel=STATED)
    assert w == pytest.approx(float(true_w), rel=STATED)
    assert rest == pytest.approx(margin * margin / 3, rel=1e-3 * margin + STATED)


def test_both_formulas_agree_at_far() -> None:
    """At FAR, where the approximation ends, the moments jump by at most the error of its erfc."""
    step = 1e-6
    for near, far in ((win(-FAR + step), win(-FAR - step)), (tie(FAR - step, 0.5, 1), tie(FAR + 1 + step, 0.5, 1))):
        assert near[0] == pytest.approx(far[0], abs=1)
        assert near[1] == pytest.approx(far[1], abs=4 * ERFC * FAR * FAR)


# --- margins ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [0.001, 0.01, 0.1, 0.4, 0.9, 0.999])
def test_the_draw_margin(draw: float) -> None:
    """The margin equals the package's up to rounding, and the normal quantile up to the error of its erfc."""
    environment = trueskill.TrueSkill(beta=1.0, draw_probability=draw)
    margin = draw_margin(draw) * math.sqrt(2.0)
    assert margin == pytest.approx(trueskill.calc_draw_margin(draw, 2, environment), rel=1e-12)
    density = NormalDist().pdf(draw_margin(draw))
    assert draw_margin(draw) == pytest.approx(NormalDist().inv_cdf((1 + draw) / 2), abs=2 * ERFC / density)


# --- whole tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("span", [240.0, 500.0, 1000.0, 1e6])
@pytest.mark.parametrize("places", [(1, 2), (2, 1), (1, 1)], ids=["the better wins", "the worse wins", "a tie"])
def test_players_too_far_apart_for_the_package_are_rated(span: float, places: tuple[int, int]) -> None:
    """Check that the ratings follow the exact formula to eight digits of the change; the package raises an error."""
    pool = Parameters()
    skills = [(span, 1.0), (0.0, 0.8)]
    environment = trueskill.TrueSkill(draw_probability=pool.draw)
    with pytest.raises(FloatingPointError):
        environment.rate([(environment.create_rating(*skill),) for skill in skills], places)
    variances = [sigma**2 + pool.tau**2 for _, sigma in skills]
    spread = math.sqrt(sum(variances) + 2 * pool.beta**2)
    margin = draw_margin(pool.draw) * math.sqrt(2) * pool.beta / spread
    with localcontext() as context:
        context.prec = 420
        if places == (1, 1):
            v, w = (float(value) for value in true_tie(-span / spread, margin)[:2])
        elif places == (1, 2):
            v, w = 0.0, 0.0
        else:
            v, w = (float(value) for value in true_win(-span / spread - margin)[:2])
    for (mu, sigma), (old, _), sign, variance in zip(
        rate_table(pool, skills, places), skills, (-1, 1), variances, strict=True
    ):
        assert mu - old == pytest.approx(sign * variance / spread * v, rel=1e-8, abs=1e-15 * span)
        assert sigma == pytest.approx(math.sqrt(variance * (1 - variance / spread**2 * w)), rel=STATED)


@pytest.mark.parametrize("beta", [25 / 6, 0.1, 1e-3, 1e-6])
def test_ratings_stay_finite_and_no_sigma_grows(beta: float) -> None:
    """Check 300 random tables of players near and far apart, with ties and beta as low as 1e-6."""
    generator = random.Random(11)
    pool = Parameters(beta=beta, tau=0.0, draw=0.001)
    for _ in range(300):
        size = generator.randint(2, 8)
        reach = generator.choice([1.0, 100.0, 1e4])
        skills = [(generator.gauss(0, reach), generator.uniform(0.3, 9)) for _ in range(size)]
        places = [generator.randint(1, size) for _ in range(size)]
        for (mu, sigma), (_, before) in zip(rate_table(pool, skills, places), skills, strict=True):
            assert math.isfinite(mu)
            assert 0 < sigma <= before * (1 + 1e-6)
