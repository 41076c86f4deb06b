"""Instances of any Pydantic model, filled at random and the same in every run and process."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

from faker import Faker
from polyfactory.factories.pydantic_factory import ModelFactory
from pydantic import BaseModel, FileUrl

from tests.zoo import Model, full_name

__all__ = ["make"]


def make(model: Model, seed: int) -> BaseModel:
    """An instance, which depends on the model's name and the seed alone. Raises what polyfactory raises."""
    _RANDOM.seed(f"{full_name(model)} {seed}")
    _FAKER.seed_instance(_RANDOM.getrandbits(64))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made: BaseModel = _Factory.create_factory(model).build()
    return made


# One of each for all factories, those of models inside of models too: seeding them seeds everything.
_RANDOM = Random(0)
_FAKER = Faker()


class _Factory(ModelFactory[Any]):
    __is_base_factory__ = True
    __check_model__ = False
    __random__ = _RANDOM
    __faker__ = _FAKER
    __randomize_collection_length__ = True
    __min_collection_length__ = 0
    __max_collection_length__ = 3

    @classmethod
    @cache
    def get_provider_map(cls) -> dict[Any, Callable[[], Any]]:
        """What makes values of the types that polyfactory leaves open, does not know, or makes from the clock."""
        return {**super().get_provider_map(), **{kind: partial(maker, _RANDOM) for kind, maker in _MADE.items()}}


def _anything(random: Random) -> Any:
    """What any JSON may be: polyfactory makes a text for `Any` and a bare `object()` for `object`."""
    scalars: list[Any] = ["text", "", "12", "true", "null", 7, -2.5, True, False, None]
    choices = [*scalars, [], {}, random.sample(scalars, 3), {"key": random.choice(scalars), "type": {"a b": [1, None]}}]
    return random.choice(choices)


def _moment(random: Random) -> dt.datetime:
    """Some have a zone, some have microseconds."""
    moment = dt.datetime(2000, 1, 1) + dt.timedelta(seconds=random.randrange(10**9))  # noqa: DTZ001 - the zone is drawn below
    moment = moment.replace(microsecond=random.choice([0, 0, 500_000, 123_456]))
    return moment.replace(tzinfo=random.choice([None, dt.UTC, dt.timezone(dt.timedelta(hours=-3, minutes=-30))]))


_MADE: dict[Any, Callable[[Random], Any]] = {
    object: _anything,
    Any: _anything,
    FileUrl: lambda random: FileUrl(f"file:///tmp/{random.randrange(100)}.txt"),
    dt.datetime: _moment,
    dt.date: lambda random: _moment(random).date(),
}
