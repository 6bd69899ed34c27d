"""The equations of a model for SciPy and SymPy, against the simulation's own matrices, differences and closed forms."""

import numpy as np
import pytest

import taut

integrate = pytest.importorskip("scipy.integrate")
sympy = pytest.importorskip("sympy")

models = ["pendulum", "slider-crank", "rolling-disk", "bricard", "knife-edge", "mechanisms/slider-crank", "mechanisms/gyroscope"]


def state_of(name):
    """A simulation that has moved a little, and its state as SciPy has it."""
    sim = taut.Simulation(name, until=1, coordinates="bodies")  # as ode() and sympy() have them
    sim.advance(0.1)
    return sim, np.concatenate([sim.q, sim.v])


@pytest.mark.parametrize("name", models)
def test_rates_are_those_of_the_simulation(name):
    sim, y = state_of(name)
    ode = taut.load(name).ode()
    assert ode.names == [*sim.coordinates, *sim.speeds]
    found = sim.equations
    expected = np.concatenate([found.qdot, found.acceleration])
    # Two solutions of the same equations, both backward stable: they differ by rounding times the condition.
    assert abs(ode.rhs(sim.t, y) - expected).max() < 1e-8 * (1 + abs(expected).max())


def independent(name):
    sim, _ = state_of(name)
    return np.linalg.matrix_rank(sim.equations.H, tol=1e-8) == len(sim.constraints)


@pytest.mark.parametrize("name", [name for name in models if independent(name)])
def test_the_jacobian_is_the_derivative_of_the_rates(name):
    sim, y = state_of(name)
    ode = taut.load(name).ode()
    exact = ode.jacobian(sim.t, y)
    # Central differences: truncation h^2, rounding eps/h; with h = 1e-5 both are near 1e-10 of the size.
    h = 1e-5
    for k in range(len(y)):
        step = np.zeros(len(y))
        step[k] = h
        difference = (ode.rhs(sim.t, y + step) - ode.rhs(sim.t, y - step)) / (2 * h)
        assert abs(difference - exact[:, k]).max() < 1e-6 * (1 + abs(exact).max()), ode.names[k]


def test_scipy_integrates_what_a_run_integrates_and_drifts():
    model = taut.load("pendulum")
    run = model.run(until=5, rtol=1e-11)
    ode = model.ode()
    for how in ({"method": "DOP853"}, {"method": "Radau", "jac": ode.jacobian}):
        tight = 1e-11 if how["method"] == "DOP853" else 1e-8
        end = integrate.solve_ivp(ode.rhs, (0, 5), ode.y0, rtol=tight, atol=tight / 100, **how).y[:, -1]
        # Errors of steps grow with t and t^2 of drift: some hundred of them, of the size of the tolerance.
        assert abs(end[0] - run["x"][-1]) < 1e4 * tight
        back = ode.project(5, end)
        assert abs(back[0] ** 2 + back[1] ** 2 - 1) < 1e-14
        assert abs(back[0] * back[2] + back[1] * back[3]) < 1e-14


def test_projection_keeps_what_is_on_the_constraints_and_moves_what_is_not():
    ode = taut.load("mechanisms/gyroscope").ode()
    assert abs(ode.project(0, ode.y0) - ode.y0).max() < 1e-12
    off = ode.y0 + 1e-3
    moved = ode.project(0, off)
    assert 0 < abs(moved - off).max() < 1e-2
    assert abs(ode.project(0, moved) - moved).max() < 1e-12


def test_what_is_wrong_is_said():
    ode = taut.load("pendulum").ode()
    with pytest.raises(taut.InputError, match="4 numbers: 2 coordinates, then 2 speeds"):
        ode.rhs(0, [1, 0])
    with pytest.raises(taut.InputError, match="'bodies' or 'joints'"):
        taut.load("pendulum").ode(coordinates="angles")
    assert taut.load("pendulum").ode(set={"l": 2, "x(0)": 2}).y0[0] == 2


def test_joint_coordinates_are_fewer():
    model = taut.load("mechanisms/gyroscope")
    assert len(model.ode(coordinates="joints")) < len(model.ode())


# ---- SymPy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pendulum", "slider-crank", "rolling-disk", "knife-edge", "mechanisms/slider-crank"])
def test_formulas_have_the_values_of_the_simulation(name):
    sim, _ = state_of(name)
    found, equations = sim.equations, taut.load(name).sympy()
    values = dict(zip(equations.v, sim.v))
    places = dict(zip(equations.q, sim.q))

    def number(matrix):
        # Rates before the coordinates that they are rates of.
        placed = matrix.subs(equations.parameters).subs(values).subs(places).subs(equations.t, sim.t)
        return np.array(placed.tolist(), dtype=float)

    assert abs(number(equations.M) - found.M).max() < 1e-12 * (1 + abs(found.M).max())
    assert abs(number(equations.H) - found.H).max() < 1e-12 * (1 + abs(found.H).max())
    assert abs(number(equations.b).ravel() - found.b).max() < 1e-9 * (1 + abs(found.b).max())
    assert abs(number(equations.rates).ravel() - found.qdot).max() < 1e-12 * (1 + abs(found.qdot).max())
    assert abs(number(equations.f).ravel() - found.f).max() < 1e-9 * (1 + abs(found.f).max())
    assert abs(number(equations.Phi)).max(initial=0) < 1e-12
    assert float(sympy.Matrix([[equations.energy]]).subs(equations.parameters).subs(values).subs(places)[0]) == pytest.approx(
        found.energy, rel=1e-10, abs=1e-10
    )


def test_the_pendulums_equations_are_those_of_a_textbook():
    e = taut.load("pendulum").sympy()
    x, y = e.q
    m, l, g = (next(one for one in e.parameters if str(one) == name) for name in "mlg")
    multiplier = e.multipliers[0]
    assert e.Phi[0] == x**2 + y**2 - l**2 or sympy.expand(e.Phi[0] - (x**2 + y**2 - l**2)) == 0
    expected = [m * x.diff(e.t, 2) - 2 * x * multiplier, m * y.diff(e.t, 2) + m * g - 2 * y * multiplier]
    assert all(sympy.expand(one - other) == 0 for one, other in zip(e.equations(), expected))
    assert sympy.expand(e.b[0] + 2 * (x.diff(e.t) ** 2 + y.diff(e.t) ** 2)) == 0


def test_kinks_become_sympys_own():
    model = taut.read("coordinates: {x: 1}\nkinetic_energy: x'^2/2\nforces: {x: -3*sign(x') - max(x, 0)}\n")
    e = model.sympy()
    assert e.f[0].subs(e.v[0], 2).subs(e.q[0], 5) == -8
    assert e.f[0].subs(e.v[0], -2).subs(e.q[0], -5) == 3


def test_there_and_back_is_the_same_motion():
    model = taut.load("pendulum")
    e = model.sympy()
    x, y = e.q
    kinetic_and_potential = e.energy
    potential = kinetic_and_potential.subs({x.diff(e.t): 0, y.diff(e.t): 0})
    lagrangian = kinetic_and_potential - 2 * potential
    again = taut.from_sympy(lagrangian, [x, y], parameters=e.parameters, initial={x: 1}, constraints=list(e.Phi))
    assert again.run(until=1, rtol=1e-10)["x"][-1] == pytest.approx(model.run(until=1, rtol=1e-10)["x"][-1], abs=1e-8)
