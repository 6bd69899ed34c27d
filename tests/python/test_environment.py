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


def until_an_end(env):
    env.reset()
    while True:
        last = env.step([[0.0], [0.0]])
        if (last[2] | last[3]).any():
            return last


def test_the_step_after_an_episode_gives_the_first_observation_of_the_next():
    env = cart(2, until=1.0)
    first, _ = env.reset()
    seen, _, terminated, truncated, info = until_an_end(env)
    assert (terminated | truncated).all() and info == {}
    seen, reward, terminated, truncated, _ = env.step([[20.0], [-20.0]])
    assert (seen == first).all() and (reward == 0).all() and not (terminated | truncated).any()
    seen, *_ = env.step([[20.0], [-20.0]])
    assert seen[0, 1] > 0 > seen[1, 1]


def test_or_the_same_step_does_and_the_last_observation_stands_in_the_information():
    env = cart(2, until=1.0, autoreset="same-step")
    first, _ = env.reset()
    seen, _, terminated, _, info = until_an_end(env)
    assert (seen == first).all() and info["_final_obs"].all() and terminated.all()
    assert (abs(info["final_obs"][:, 2]) > 1).all()
    with pytest.raises(taut.InputError, match="autoreset"):
        cart(autoreset="never")


def test_time_truncates_and_an_event_that_stops_terminates():
    def ends(text, **options):
        env = taut.Environment(taut.read(text), 1, period=0.1, **options)
        env.reset()
        for k in range(1, 100):
            seen, _, terminated, truncated, _ = env.step()
            if terminated[0] or truncated[0]:
                return k, terminated[0], truncated[0]

    falling = "coordinates: {y: 1}\nkinetic_energy: y'^2/2\npotential_energy: 10*y\n"
    assert ends(falling, until=1.0) == (10, False, True)
    # From 1 m the fall takes sqrt(0.2) = 0.447 s.
    assert ends(falling + "events: {ground: {when: y, stop: true}}\n", until=1.0) == (5, True, False)


def test_spaces_have_the_limits_of_the_inputs():
    env = cart(3)
    assert env.num_envs == 3 and env.single_action_space.shape == (1,) and env.action_space.shape == (3, 1)
    assert env.single_action_space.low == [-20] and env.single_action_space.high == [20]
    env.reset(seed=3, options={})
    env.step(env.action_space.sample(np.random.default_rng(1)))
    assert env.observation_space.contains(env.reset()[0])
    with pytest.raises(taut.InputError, match="beyond its limits"):
        env.step(np.full((3, 1), 21.0))
    with pytest.raises(taut.InputError, match="shape"):
        env.step(np.zeros(2))


def test_rewards_of_a_wrong_shape_are_refused():
    env = taut.Environment(taut.read(CART), 3, reward=lambda seen, actions: 0.0)
    env.reset()
    with pytest.raises(taut.InputError, match="one for each row"):
        env.step(np.zeros((3, 1)))


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


def test_actions_beyond_their_limits_are_refused_before_anything_moves():
    env = cart()
    env.reset()
    for wrong in (30.0, np.nan, np.inf):
        with pytest.raises(taut.InputError, match="'push' of simulation 2"):
            env.step([[1.0], [1.0], [wrong]])
    seen, *_ = env.step([[1.0], [1.0], [1.0]])
    assert (seen == seen[0]).all()
    assert repr(env) == "<taut.Environment of 3 x 'cart': push -> x, x', th, th'>"
