"""Check the random numbers made from seeds: reproducible and uniform."""

import hashlib
from collections import Counter
from itertools import islice, permutations

import pytest

from engine.seeds import Stream
from tests.oracles.engine.deals_and_points import below, shuffled, words

SEEDS = ["", "a", "Ana", "Beñat", "日本", "seed/hand/7", "#", "0" * 300]

PUBLISHED = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""The SHA-256 hash of `abc`, from FIPS 180-2."""


def test_the_hash_of_the_tests_is_the_published_one() -> None:
    """Check the hash on which the second program rests."""
    assert hashlib.sha256(b"abc").hexdigest() == PUBLISHED


@pytest.mark.parametrize("seed", SEEDS)
def test_the_words_are_those_of_the_hash(seed: str) -> None:
    """Check that the first 100 words are those of the hashes of SEED#0, SEED#1, …"""
    stream = Stream(seed)
    assert [stream.word() for _ in range(100)] == list(islice(words(seed), 100))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bound", [1, 2, 3, 7, 13, 110, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_numbers_below_a_bound_are_those_of_the_second_program(seed: str, bound: int) -> None:
    """Check that the stream agrees with the second program, even if nearly half of the words are rejected."""
    stream, other = Stream(seed), words(seed)
    assert [stream.below(bound) for _ in range(40)] == [below(other, bound) for _ in range(40)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 52, 110])
def test_the_shuffle_is_the_documented_one(seed: str, size: int) -> None:
    """Check that the stream puts the same items in the same order as the second program."""
    items = list(range(size))
    Stream(seed).shuffle(items)
    assert items == shuffled(seed, list(range(size)))
    assert sorted(items) == list(range(size))


def test_a_choice_is_one_of_the_items() -> None:
    """The stream chooses the item at the next number below their count."""
    stream, other = Stream("choice"), words("choice")
    assert [stream.choice("abcdefg") for _ in range(50)] == ["abcdefg"[below(other, 7)] for _ in range(50)]


def test_all_orders_come_up_equally_often() -> None:
    """Check chi-square over the 24 orders of four items: 23 degrees of freedom, p = 0.001 at 49.7."""
    found = Counter()
    stream = Stream("chi-square")
    for _ in range(12000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        found[tuple(items)] += 1
    assert set(found) == set(permutations(range(4)))
    assert sum((seen - 500) ** 2 / 500 for seen in found.values()) < 49.7


def test_seeds_that_differ_in_one_letter_share_nothing() -> None:
    """Check that the first fifty words of two streams have none in common."""
    first, second = Stream("seed 1"), Stream("seed 2")
    assert {first.word() for _ in range(50)} & {second.word() for _ in range(50)} == set()
