"""Many simulations side by side, as learning algorithms step them."""

import numpy as np
import pytest

import taut

CART = """
inputs: {push: {default: 0, min: -20, max: 20}}
coordinates: {x: 0, th: 0.1}
kinetic_energy: x'^2/2 + (x'^2 + 2*x'*th'*cos(th) + th'^2)/4
potential_energy: 9.81*cos(th)/2
forces: {x: push}
"""


def cart(count=3, **options):
    return taut.Environment(
        taut.read(CART, name="cart"),
        count,
        period=0.02,
        observe=["x", "x'", "th", "th'"],
        reward=lambda seen, actions: -(seen[:, 2] ** 2),
        terminated=lambda seen: abs(seen[:, 2]) > 1,
        step=0.01,
        **options,
    )


def test_steps_give_rows_for_each_simulation():
    env = cart()
    seen, info = env.reset(seed=1)
    assert seen.shape == env.observation_shape == (3, 4) and info == {}
    seen, reward, terminated, truncated, info = env.step(np.array([[0.0], [1.0], [-1.0]]))
    assert seen.shape == (3, 4) and reward.shape == (3,) and not terminated.any() and not truncated.any()
    assert seen[1, 1] > seen[0, 1] > seen[2, 1]


def test_an_episode_ends_and_the_next_begins():
    env = cart(2, until=1.0)
    env.reset()
    for _ in range(200):
        seen, _, terminated, truncated, _ = env.step([[0.0], [0.0]])
        if terminated.any() or truncated.any():
            break
    assert (terminated | truncated).all()
    seen, *_ = env.step([[0.0], [0.0]])
    assert abs(seen[:, 2] - 0.1).max() < 0.01


def test_the_same_seed_and_any_number_of_threads_give_the_same_bits():
    def start(random, sim):
        sim.set_state(0, [0, random.uniform(-0.2, 0.2)], [0, 0])

    ends = []
    for threads in (1, 1, 3):
        env = cart(4, threads=threads, start=start)
        env.reset(seed=7)
        for k in range(20):
            seen, *_ = env.step(np.full((4, 1), np.sin(k)))
        env.close()
        ends.append(seen)
    assert (ends[0] == ends[1]).all() and (ends[0] == ends[2]).all()
    assert len(set(ends[0][:, 2])) == 4


def test_what_there_is_not_is_refused():
    with pytest.raises(taut.InputError):
        taut.Environment("pendulum", act=["push"])
    with pytest.raises(taut.UnknownName):
        taut.Environment("pendulum", observe=["z"])
    with pytest.raises(taut.InputError):
        taut.Environment("pendulum", count=0)
