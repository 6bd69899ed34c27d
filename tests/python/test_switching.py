"""Constraints that are switched and stops that are struck, on bodies: each impulse against the balances of momentum,
angular momentum and energy. Between the impulses bodies fly freely or turn about fixed axes, evenly, which every integrator
does to rounding: so what is compared are impulses, and 1e-12 is some thousand roundings of the largest term."""

import numpy as np
import pytest

import taut

ROUNDING = 1e-12


def settled(text, kind, count, **options):
    run = taut.read(text).run(step=0.01, integrator="rk4", **options)
    found = [event for event in run.summary["events"] if event["kind"] == kind]
    assert run.verdict == "done" and len(found) == count
    assert run.summary["max_energy_error"] < ROUNDING * 100  # joules, of some tens
    return run, found


def momenta(run, masses, inertias, row):
    """The sum of m v, and that of r x m v + J omega, of planar bodies."""
    linear, angular = np.zeros(2), 0.0
    for name, m in masses.items():
        x, y, vx, vy = (run[f"{name}.{part}"][row] for part in ("x", "y", "x'", "y'"))
        linear += m * np.array([vx, vy])
        angular += m * (x * vy - y * vx) + inertias[name] * run[f"{name}.angle'"][row]
    return np.array([*linear, angular])


def kinetic(run, masses, inertias, row):
    return sum(
        m / 2 * (run[f"{name}.x'"][row] ** 2 + run[f"{name}.y'"][row] ** 2) + inertias[name] / 2 * run[f"{name}.angle'"][row] ** 2
        for name, m in masses.items()
    )


@pytest.mark.parametrize("motor, load, speed", [(0.4, 1.7, 6.0), (3.1, 0.2, 2.5)])
def test_a_clutch_between_two_shafts_keeps_their_angular_momentum(motor, load, speed):
    text = f"""
bodies:
  motor: {{mass: 1, inertia: [4, 4, {motor}], angular_velocity: [0, 0, {speed}]}}
  load: {{mass: 1, inertia: [4, 4, {load}], position: [0, 0, 1]}}
joints:
  drive: {{type: revolute, bodies: [ground, motor], at: [0, 0, 0], axis: [0, 0, 1]}}
  driven: {{type: revolute, bodies: [ground, load], at: [0, 0, 1], axis: [0, 0, 1]}}
constraints: {{clutch: {{equation: drive.rate = driven.rate, engaged: false}}}}
events: {{shut: {{when: drive.angle - 2, engage: clutch}}, open: {{when: driven.angle - 1, release: clutch}}}}
"""
    run, (shut, opened) = settled(text, "action", 2, until=8 / speed * (1 + load / motor))
    together = motor * speed / (motor + load)
    for name in ("motor", "load"):
        assert run[f"{name}.omega_z"][-1] == pytest.approx(together, rel=ROUNDING)
    assert shut["impulse"] == pytest.approx(load * together, rel=ROUNDING)
    assert shut["energy_change"] == pytest.approx(((motor + load) * together**2 - motor * speed**2) / 2, rel=ROUNDING)
    assert opened["impulse"] == opened["energy_change"] == 0


def test_a_latch_between_two_wagons_keeps_their_momentum():
    text = """
bodies:
  first: {mass: 1.3, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [3, 0, 0], planar: true}
  second: {mass: 2.6, inertia: [1, 1, 1], position: [1.5, 0, 0], planar: true}
joints:
  rail: {type: prismatic, bodies: [ground, first], at: [0, 0, 0], axis: [1, 0, 0]}
  track: {type: prismatic, bodies: [ground, second], at: [1.5, 0, 0], axis: [1, 0, 0]}
constraints: {latch: {equation: second.x - first.x = 0.25, engaged: false}}
events:
  catch: {when: first.x + 0.25 - second.x, direction: rising, engage: latch}
  open: {when: first.x - 2, release: latch}
"""
    masses, inertias = {"first": 1.3, "second": 2.6}, {"first": 0, "second": 0}
    run, (caught, opened) = settled(text, "action", 2, until=3)
    assert momenta(run, masses, inertias, -1)[0] == pytest.approx(3.9, rel=ROUNDING)
    assert run["first.x'"][-1] == pytest.approx(1, rel=ROUNDING)
    assert caught["impulse"] == pytest.approx(2.6, rel=ROUNDING)
    assert caught["energy_change"] == pytest.approx(3.9 / 2 - 1.3 * 9 / 2, rel=ROUNDING)
    assert opened["energy_change"] == 0


def test_a_gripper_that_closes_and_opens_keeps_momentum_and_angular_momentum():
    text = """
bodies:
  hand: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0.2, 0], angular_velocity: [0, 0, -0.5], planar: true}
  part: {mass: 1, inertia: [0, 0, 0.5], position: [0, 0.3, 0], velocity: [0.1, 0, 0], angular_velocity: [0, 0, 2], planar: true}
definitions: {dx: part.x - hand.x, dy: part.y - hand.y}
constraints:
  along: {equation: dx*cos(hand.angle) + dy*sin(hand.angle), engaged: false}
  across: {equation: dy*cos(hand.angle) - dx*sin(hand.angle), engaged: false}
  turn: {equation: part.angle - hand.angle, engaged: false}
events: {close: {when: t - 0.25, hold: [along, across, turn]}, open: {when: t - 0.75, release: [along, across, turn]}}
"""
    masses, inertias = {"hand": 2, "part": 1}, {"hand": 1, "part": 0.5}
    run, (closed, opened) = settled(text, "action", 2, until=1)
    before, after = momenta(run, masses, inertias, 0), momenta(run, masses, inertias, -1)
    assert after == pytest.approx(before, abs=ROUNDING)
    lost = kinetic(run, masses, inertias, 0) - kinetic(run, masses, inertias, -1)
    assert closed["energy_change"] == pytest.approx(-lost, abs=ROUNDING) and lost > 0.1
    assert opened["impulse"] == opened["energy_change"] == 0
    assert run["hand.angle'"][-1] == pytest.approx(run["part.angle'"][-1], abs=ROUNDING)


@pytest.mark.parametrize("restitution", [1.0, 0.6, 0.0])
def test_a_rod_that_strikes_a_stop_with_its_end_bounces_by_its_restitution(restitution):
    """A rod flies, turning, and its end strikes a wall at x = 1: the impulse passes along x through that end."""
    text = f"""
bodies: {{rod: {{mass: 2, inertia: [0, 0, 0.3], velocity: [1.5, 0.4, 0], angular_velocity: [0, 0, 0.5], planar: true}}}}
definitions: {{tip: rod.x + 0.5*cos(rod.angle)}}
outputs: {{tip_speed: rod.x' - 0.5*sin(rod.angle)*rod.angle', arm: 0.5*sin(rod.angle)}}
events: {{wall: {{when: 1 - tip, restitution: {restitution}}}}}
"""
    run = taut.read(text).run(until=0.5, step=0.01, integrator="rk4")
    (strike,) = [event for event in run.summary["events"] if event["kind"] == "impact"]
    assert run.verdict == "done"
    # Where it was struck, evenly flown: the arm of the impulse about the centre, and the speeds of the tip.
    angle = 0.5 * strike["t"]
    arm = 0.5 * np.sin(angle)
    closing = 1.5 - arm * 0.5
    impulse = -(1 + restitution) * closing / (1 / 2 + arm**2 / 0.3)
    vx, omega = 1.5 + impulse / 2, 0.5 - arm * impulse / 0.3
    energy = (2 * (vx**2 - 1.5**2) + 0.3 * (omega**2 - 0.5**2)) / 2
    assert strike["energy_change"] == pytest.approx(energy, abs=ROUNDING)
    row = np.searchsorted(run.t, strike["t"], side="right")  # the first row behind it
    assert run["rod.y'"][row] == pytest.approx(0.4, rel=ROUNDING)
    # The impulse of the wall acts along x at the tip: 2 arm v_x + 0.3 omega is its balance about that point.
    assert 2 * arm * run["rod.x'"][row] + 0.3 * run["rod.angle'"][row] == pytest.approx(2 * arm * 1.5 + 0.3 * 0.5, abs=ROUNDING)
    if restitution > 0:  # else it rests on the wall for a while, and slows
        assert run["rod.x'"][row] == pytest.approx(vx, abs=ROUNDING)
        assert run["rod.angle'"][row] == pytest.approx(omega, abs=ROUNDING)
