"""Many simulations of one model side by side, as learning algorithms step them: the interface of Gymnasium's vector
environments, without its package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional

import numpy as np

from .errors import InputError, SimulationError
from .model import Model, load
from .run import Array
from .simulation import Checkpoint, Simulation

Reward = Callable[[Array, Array], Array]
Ending = Callable[[Array], np.ndarray[Any, np.dtype[np.bool_]]]
Start = Callable[[np.random.Generator, Simulation], None]


class Environment:
    """`count` simulations that take actions together.

        model: what is simulated, with the inputs that actions set
        count: how many of them
        period: s between actions, for which they are held
        observe: names of coordinates and speeds, "x" and "x'"; by default all
        act: names of inputs; by default all
        reward: of observations and actions after a period, both with a row for each simulation; by default 0
        terminated: of observations: which simulations have come to their end
        until: s after which a simulation is truncated
        start: moves a simulation to where an episode begins, with a generator of random numbers; by default the
            model's own start
        threads: that step them

    Simulations whose episode has ended begin anew in the next step(), as in Gymnasium. One that cannot go on is
    terminated, and its reason stands in the information."""

    def __init__(
        self,
        model: Model | str,
        count: int = 1,
        *,
        period: float = 0.01,
        observe: Optional[Sequence[str]] = None,
        act: Optional[Sequence[str]] = None,
        reward: Optional[Reward] = None,
        terminated: Optional[Ending] = None,
        until: float = 10.0,
        start: Optional[Start] = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        if count < 1 or not period > 0:
            raise InputError("an environment needs a simulation and a period above 0", remedy="give count and period")
        self._model = load(model) if isinstance(model, str) else model
        self._sims = [Simulation(self._model, until=until, **options) for _ in range(count)]
        first = self._sims[0]
        self.act: list[str] = list(first.inputs if act is None else act)
        for name in self.act:
            first.inputs[name]  # says what there is not
        self.observe: list[str] = list(observe or self._all_names(first))
        for name in self.observe:
            first[name]
        self._begins: list[Checkpoint] = [sim.checkpoint() for sim in self._sims]
        self.count, self.period, self.until = count, period, until
        self._reward, self._terminated, self._start = reward, terminated, start
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._random = np.random.default_rng()
        self._ended = np.zeros(count, dtype=bool)
        self._taken = np.zeros(count, dtype=int)

    @staticmethod
    def _all_names(sim: Simulation) -> list[str]:
        rates = [name + "'" if name in sim.coordinates else name for name in sim.speeds]
        return [*sim.coordinates, *rates]

    @property
    def observation_shape(self) -> tuple[int, int]:
        return self.count, len(self.observe)

    @property
    def action_shape(self) -> tuple[int, int]:
        return self.count, len(self.act)

    def reset(self, *, seed: Optional[int] = None) -> tuple[Array, dict[str, Any]]:
        """All begin anew. Gives observations, a row for each, and an empty dict."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        for k in range(self.count):
            self._begin(k)
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Array, Array, Any, Any, dict[str, Any]]:
        """Holds actions for a period: observations, rewards, terminated, truncated, information."""
        given = np.asarray(actions, dtype=float).reshape(self.action_shape)
        for k in np.flatnonzero(self._ended):
            self._begin(int(k))
        reasons: dict[int, str] = {}
        failures = self._each(lambda k: self._advance(k, given[k]))
        for k, failure in enumerate(failures):
            if failure:
                reasons[k] = failure
        seen = self._observations()
        reward = np.zeros(self.count) if self._reward is None else np.asarray(self._reward(seen, given), dtype=float)
        terminated = np.zeros(self.count, bool) if self._terminated is None else np.array(self._terminated(seen), bool)
        for k in reasons:
            terminated[k] = True
        truncated = np.array([not sim.goes_on for sim in self._sims]) & ~terminated
        self._ended = terminated | truncated
        return seen, reward, terminated, truncated, {"failed": reasons} if reasons else {}

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()

    # ---- one of them -----------------------------------------------------------------------------

    def _begin(self, k: int) -> None:
        sim = self._sims[k]
        sim.restore(self._begins[k])
        if self._start:
            self._start(self._random, sim)
        self._ended[k] = False
        self._taken[k] = 0

    def _advance(self, k: int, action: Array) -> str:
        sim = self._sims[k]
        for name, value in zip(self.act, action):
            sim.inputs[name] = float(value)
        self._taken[k] += 1
        begin = self._begins[k].t
        try:
            sim.advance(min(begin + self.period * int(self._taken[k]), self.until))
        except SimulationError as error:
            return str(error)
        return ""

    def _each(self, work: Callable[[int], str]) -> list[str]:
        run: Any = self._pool.map if self._pool else map
        return list(run(work, range(self.count)))

    def _observations(self) -> Array:
        return np.array([[sim[name] for name in self.observe] for sim in self._sims])


