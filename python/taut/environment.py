"""Many simulations of one model side by side, as learning algorithms step them: the interface of Gymnasium's vector
environments, without its package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Optional

import numpy as np

from .errors import InputError, SimulationError
from .model import Model, load
from .run import Array
from .simulation import Checkpoint, Simulation

Reward = Callable[[Array, Array], Array]
Ending = Callable[[Array], np.ndarray[Any, np.dtype[np.bool_]]]
Start = Callable[[np.random.Generator, Simulation], None]


class Box(NamedTuple):
    """The numbers that observations or actions may be, as Gymnasium's spaces.Box has them: its arguments."""

    low: Array
    high: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.low.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.low.dtype

    def contains(self, value: Any) -> bool:
        given = np.asarray(value, dtype=float)
        return given.shape == self.shape and bool(np.all((given >= self.low) & (given <= self.high)))

    def sample(self, random: Optional[np.random.Generator] = None) -> Array:
        """Evenly between bounds; where there are none, as far from 0 as a normal distribution is."""
        random = random or np.random.default_rng()
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 1.0)
        drawn = np.where(bounded, random.uniform(low, high), random.normal(size=self.shape))
        return np.clip(drawn, self.low, self.high)


class Environment:
    """`count` simulations that take actions together.

        model: what is simulated, with the inputs that actions set
        count: how many of them
        period: s between actions, for which they are held
        observe: names of what a state has: coordinates, rates "x'", places of bodies, angles of joints, outputs; by
            default all coordinates and speeds
        act: names of inputs; by default all
        reward: of observations and actions after a period, both with a row for each simulation; by default 0
        terminated: of observations: which simulations have come to their end. An event of the model that stops a run
            terminates, too
        until: s after which a simulation is truncated
        start: moves a simulation to where an episode begins, with a generator of random numbers; by default the
            model's own start
        autoreset: "next-step": where an episode has ended, the next step() gives the first observation of a new one,
            with reward 0, and its action counts for nothing, as in Gymnasium; "same-step": the step that ends an episode
            gives the first observation of the next, and the last one stands in the information as "final_obs", with
            "_final_obs" for those that have one
        threads: that step them

    One that cannot go on is terminated, and its reason stands in the information under "failed"."""

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
        autoreset: str = "next-step",
        threads: int = 1,
        **options: Any,
    ) -> None:
        if count < 1 or not period > 0:
            raise InputError("an environment needs a simulation and a period above 0", remedy="give count and period")
        if autoreset not in ("next-step", "same-step"):
            raise InputError(f"there is no autoreset {autoreset!r}", remedy='give "next-step" or "same-step"')
        self._model = load(model) if isinstance(model, str) else model
        self._sims = [Simulation(self._model, until=until, **options) for _ in range(count)]
        first = self._sims[0]
        self.act: list[str] = list(first.inputs if act is None else act)
        for name in self.act:
            first.inputs[name]  # says what there is not
        self.observe: list[str] = list(observe or self._all_names(first))
        for name in self.observe:
            first[name]
        self._limits = self.single_action_space
        self._begins: list[Checkpoint] = [sim.checkpoint() for sim in self._sims]
        self.count, self.period, self.until = count, period, until
        self._reward, self._terminated, self._start = reward, terminated, start
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._same_step = autoreset == "same-step"
        self._seed(None)
        self._ended = np.zeros(count, dtype=bool)
        self._taken = np.zeros(count, dtype=int)

    @staticmethod
    def _all_names(sim: Simulation) -> list[str]:
        rates = [name + "'" if name in sim.coordinates else name for name in sim.speeds]
        return [*sim.coordinates, *rates]

    @property
    def num_envs(self) -> int:
        return self.count

    @property
    def observation_shape(self) -> tuple[int, int]:
        return self.count, len(self.observe)

    @property
    def action_shape(self) -> tuple[int, int]:
        return self.count, len(self.act)

    @property
    def single_observation_space(self) -> Box:
        size = len(self.observe)
        return Box(np.full(size, -np.inf), np.full(size, np.inf))

    @property
    def single_action_space(self) -> Box:
        """The limits of the inputs: gymnasium.spaces.Box(*env.single_action_space)."""
        limits = self._model._compiled.input_limits
        low, high = zip(*(limits[name] for name in self.act)) if self.act else ((), ())
        return Box(np.array(low, dtype=float), np.array(high, dtype=float))

    @property
    def observation_space(self) -> Box:
        return self._stacked(self.single_observation_space)

    @property
    def action_space(self) -> Box:
        return self._stacked(self.single_action_space)

    def _stacked(self, single: Box) -> Box:
        return Box(np.tile(single.low, (self.count, 1)), np.tile(single.high, (self.count, 1)))

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        """All begin anew. Gives observations, a row for each, and an empty dict. The same seed gives the same starts;
        options are there for wrappers that hand them on, and say nothing here."""
        if seed is not None:
            self._seed(seed)
        for k in range(self.count):
            self._begin(k)
        return self._observations(), {}

    def step(self, actions: Any = ()) -> tuple[Array, Array, Any, Any, dict[str, Any]]:
        """Holds actions for a period: observations, rewards, terminated, truncated, information."""
        given = self._given(actions)
        begun = self._ended.copy()
        for k in np.flatnonzero(begun):
            self._begin(int(k))
        failures = self._each(lambda k: "" if begun[k] else self._advance(k, given[k]))
        failed = {k: reason for k, reason in enumerate(failures) if reason}
        seen = self._observations()
        reward = self._rewards(seen, given)
        reward[begun] = 0.0
        terminated, truncated = self._endings(seen, failed)
        terminated[begun] = truncated[begun] = False
        self._ended = terminated | truncated
        information: dict[str, Any] = {"failed": failed} if failed else {}
        if self._same_step and self._ended.any():
            information.update(final_obs=seen.copy(), _final_obs=self._ended.copy())
            for k in np.flatnonzero(self._ended):
                self._begin(int(k))
            seen = self._observations()
        return seen, reward, terminated, truncated, information

    def __repr__(self) -> str:
        return f"<taut.Environment of {self.count} x '{self._model.name}': {', '.join(self.act)} -> {', '.join(self.observe)}>"

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()

    def __enter__(self) -> Environment:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _seed(self, seed: Optional[int]) -> None:
        """Each simulation draws for itself, whenever the others begin anew."""
        self._random = [np.random.default_rng(one) for one in np.random.SeedSequence(seed).spawn(self.count)]

    def _given(self, actions: Any) -> Array:
        given = np.asarray(actions, dtype=float)
        if given.size != self.count * len(self.act):
            raise InputError(
                f"actions of shape {given.shape} are given, where {self.action_shape} are taken",
                remedy="give a row for each simulation: " + (", ".join(self.act) or "of nothing"),
            )
        given = given.reshape(self.action_shape)
        inside = (given >= self._limits.low) & (given <= self._limits.high) & np.isfinite(given)
        outside = np.argwhere(~(inside | self._ended[:, None]))  # those that begin anew take no action
        if len(outside):  # before any simulation has moved
            k, i = outside[0]
            low, high = self._limits.low[i], self._limits.high[i]
            raise InputError(
                f"action '{self.act[i]}' of simulation {k} is {given[k, i]:g}, beyond its limits",
                remedy=f"keep it between {low:g} and {high:g}, as by numpy.clip(actions, *env.single_action_space)",
            )
        return given

    def _rewards(self, seen: Array, given: Array) -> Array:
        if self._reward is None:
            return np.zeros(self.count)
        reward = np.array(self._reward(seen, given), dtype=float)
        if reward.shape not in ((self.count,), (self.count, 1)):
            raise InputError(
                f"rewards have the shape {reward.shape}", remedy=f"give {self.count}, one for each row of the observations"
            )
        return reward.reshape(self.count)

    def _endings(self, seen: Array, failed: dict[int, str]) -> tuple[Any, Any]:
        """A simulation that has stopped before its time was ended by an event."""
        over = np.array([not sim.goes_on for sim in self._sims])
        in_time = np.array([sim.t >= self.until for sim in self._sims])
        terminated = over & ~in_time
        if self._terminated is not None:
            terminated |= np.asarray(self._terminated(seen), dtype=bool).reshape(self.count)
        terminated[list(failed)] = True
        return terminated, over & ~terminated

    # ---- one of them -----------------------------------------------------------------------------

    def _begin(self, k: int) -> None:
        sim = self._sims[k]
        sim.restore(self._begins[k])
        if self._start:
            self._start(self._random[k], sim)
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


