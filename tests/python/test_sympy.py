"""Models out of SymPy, against SymPy's own equations integrated by SciPy."""

import numpy as np
import pytest

import taut

sympy = pytest.importorskip("sympy")
mechanics = pytest.importorskip("sympy.physics.mechanics")
integrate = pytest.importorskip("scipy.integrate")

from sympy.physics.mechanics import (  # noqa: E402
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    cross,
    dot,
    dynamicsymbols,
    inertia,
)


def by_scipy(kane, constants, initial, until):
    """The final state of Kane's equations, as SymPy solves them for the derivatives."""
    states = list(kane.q) + list(kane.u)
    matrix = sympy.lambdify([states], kane.mass_matrix_full.subs(constants), cse=True)
    forcing = sympy.lambdify([states], kane.forcing_full.subs(constants), cse=True)

    def rates(t, y):
        return np.linalg.solve(matrix(y), forcing(y).ravel())

    start = [float(initial.get(state, 0)) for state in states]
    return integrate.solve_ivp(rates, (0, until), start, rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]


def final(run):
    state = run.final
    speeds = [name for name in state["rates"] if name not in state["coordinates"]]
    return np.array(list(state["coordinates"].values()) + [state["rates"][name] for name in speeds])


def rolling_disk():
    """A disk that rolls without slipping: five speeds, two of which rolling prescribes."""
    q = dynamicsymbols("q1:6")
    u = dynamicsymbols("u1:6")
    r, m, g = sympy.symbols("r m g")
    ground = ReferenceFrame("N")
    yaw = ground.orientnew("Y", "Axis", [q[0], ground.z])
    lean = yaw.orientnew("L", "Axis", [q[1], yaw.x])
    disk = lean.orientnew("R", "Axis", [q[2], lean.y])
    turning = disk.ang_vel_in(ground)
    disk.set_ang_vel(ground, u[0] * lean.x + u[1] * lean.y + u[2] * lean.z)
    contact = Point("C")
    contact.set_vel(ground, u[3] * lean.x + u[4] * cross(yaw.z, lean.x))
    centre = contact.locatenew("O", r * lean.z)
    centre.v2pt_theory(contact, ground, disk)
    kinematic = [dot(disk.ang_vel_in(ground) - turning, axis) for axis in lean]
    kinematic += [dot(contact.vel(ground), axis) - x.diff() for axis, x in ((ground.x, q[3]), (ground.y, q[4]))]
    tensor = inertia(lean, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = RigidBody("B", centre, disk, m, (tensor, centre))
    kane = KanesMethod(
        ground,
        q_ind=list(q),
        u_ind=list(u[:3]),
        u_dependent=list(u[3:]),
        kd_eqs=kinematic,
        velocity_constraints=list(u[3:]),
    )
    kane.kanes_equations([body], [(centre, -m * g * yaw.z)])
    return kane, {r: 0.5, m: 2.0, g: 9.81}, {q[1]: 0.2, u[0]: 0.3, u[1]: 6.0, u[2]: 0.4}


def four_bar():
    """A linkage of three bars and the ground between (0, 0) and (d, 0): one freedom, a loop that closes."""
    q = dynamicsymbols("q1:4")
    u = dynamicsymbols("u1:4")
    a, b, c, d, m, g = sympy.symbols("a b c d m g")
    ground = ReferenceFrame("N")
    start = Point("O")
    start.set_vel(ground, 0)
    bodies, loads, at = [], [], start
    for k, length in enumerate((a, b, c)):
        frame = ground.orientnew(f"F{k}", "Axis", [q[k], ground.z])
        frame.set_ang_vel(ground, u[k] * ground.z)
        middle = at.locatenew(f"M{k}", length / 2 * frame.x)
        middle.v2pt_theory(at, ground, frame)
        end = at.locatenew(f"P{k}", length * frame.x)
        end.v2pt_theory(at, ground, frame)
        bodies.append(RigidBody(f"B{k}", middle, frame, m, (inertia(frame, 0, 0, m * length**2 / 12), middle)))
        loads.append((middle, -m * g * ground.y))
        at = end
    gap = at.pos_from(start) - d * ground.x
    closing = [dot(gap, ground.x), dot(gap, ground.y)]
    rates = dict(zip([x.diff() for x in q], u))
    kane = KanesMethod(
        ground,
        q_ind=[q[0]],
        u_ind=[u[0]],
        q_dependent=list(q[1:]),
        u_dependent=list(u[1:]),
        kd_eqs=[x.diff() - v for x, v in zip(q, u)],
        configuration_constraints=closing,
        velocity_constraints=[one.diff(dynamicsymbols._t).subs(rates) for one in closing],
    )
    kane.kanes_equations(bodies, loads)
    constants = {a: 1.0, b: 2.0, c: 1.5, d: 2.2, m: 1.0, g: 9.81}
    # Closed by hand: the coupler's end and the rocker's meet.
    angle = 1.2
    corner = np.array([np.cos(angle), np.sin(angle)])
    to = np.array([2.2, 0]) - corner
    far = np.linalg.norm(to)
    along = np.arctan2(to[1], to[0])
    second = along + np.arccos((4 + far**2 - 2.25) / (4 * far))
    elbow = corner + 2 * np.array([np.cos(second), np.sin(second)])
    third = np.arctan2(-elbow[1], 2.2 - elbow[0])
    return kane, constants, {q[0]: angle, q[1]: second, q[2]: third}


def bicycle():
    """Whipple's bicycle as SymPy's documentation derives it: four bodies, a constraint on the pitch and three on the speeds.
    Its measures are those of the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007), here with z upwards."""
    yaw, lean, pitch, steer = dynamicsymbols("yaw lean pitch steer")
    u = dynamicsymbols("u1:7")
    base, trail, tilt, rear_radius, front_radius = 1.02, 0.08, -sympy.pi.evalf() / 10, 0.3, 0.35
    sine, cosine = sympy.sin(tilt), sympy.cos(tilt)
    ground = ReferenceFrame("N")
    heading = ground.orientnew("Y", "Axis", [yaw, ground.z])
    leaning = heading.orientnew("L", "Axis", [lean, heading.x])
    frame = leaning.orientnew("B", "Axis", [pitch, leaning.y])
    axis = frame.orientnew("S", "Axis", [tilt, frame.y])
    fork = axis.orientnew("H", "Axis", [steer, axis.z])
    rear_wheel, front_wheel = ReferenceFrame("R"), ReferenceFrame("F")
    heading.set_ang_vel(ground, u[0] * ground.z)
    leaning.set_ang_vel(heading, u[1] * heading.x)
    frame.set_ang_vel(leaning, u[2] * leaning.y)
    axis.set_ang_vel(frame, 0 * frame.y)
    fork.set_ang_vel(axis, u[3] * axis.z)
    rear_wheel.set_ang_vel(frame, u[4] * frame.y)
    front_wheel.set_ang_vel(fork, u[5] * fork.y)

    def carried(body, origin, vector, name):
        point = origin.locatenew(name, vector)
        point.set_vel(ground, origin.vel(ground) + cross(body.ang_vel_in(ground), vector))
        return point

    contact = Point("P")
    contact.set_vel(ground, 0)
    rear = carried(rear_wheel, contact, rear_radius * leaning.z, "rear")
    trunk = carried(frame, rear, 0.3 * frame.x + (0.9 - rear_radius) * frame.z, "trunk")
    # The point of the steering axis next to the rear wheel's centre, and from there in the plane of the upright bicycle.
    distance = (base + trail) * cosine + rear_radius * sine
    hinge = carried(frame, rear, distance * axis.x, "hinge")

    def of_fork(x, z, name):
        dx, dz = x - distance * cosine, z - rear_radius + distance * sine
        return carried(fork, hinge, (dx * cosine - dz * sine) * fork.x + (dx * sine + dz * cosine) * fork.z, name)

    front, handlebar = of_fork(base, front_radius, "front"), of_fork(0.9, 0.7, "handlebar")
    upwards = ground.z - dot(ground.z, fork.y) * fork.y
    spoke = -front_radius * upwards / sympy.sqrt(1 - dot(ground.z, fork.y) ** 2)
    slip = front.vel(ground) + cross(front_wheel.ang_vel_in(ground), spoke)
    bodies = [
        RigidBody("rear wheel", rear, rear_wheel, 2, (inertia(frame, 0.0603, 0.12, 0.0603), rear)),
        RigidBody("frame", trunk, frame, 85, (inertia(frame, 9.2, 11, 2.8, 0, 0, -2.4), trunk)),
        RigidBody("fork", handlebar, fork, 4, (inertia(fork, 0.05892, 0.06, 0.00708, 0, 0, 0.00756), handlebar)),
        RigidBody("front wheel", front, front_wheel, 3, (inertia(fork, 0.1405, 0.28, 0.1405), front)),
    ]
    kane = KanesMethod(
        ground,
        q_ind=[yaw, lean, steer],
        q_dependent=[pitch],
        configuration_constraints=[dot(front.locatenew("touch", spoke).pos_from(contact), ground.z)],
        u_ind=[u[1], u[3], u[4]],
        u_dependent=[u[0], u[2], u[5]],
        # In this order SymPy finds no zero where it divides.
        velocity_constraints=[dot(slip, along) for along in (heading.y, heading.z, heading.x)],
        kd_eqs=[angle.diff() - speed for angle, speed in zip((yaw, lean, pitch, steer), u)],
    )
    kane.kanes_equations(bodies, [(body.masscenter, -body.mass * 9.81 * ground.z) for body in bodies])
    # Straight ahead at 4.6 m/s, where it steadies itself, leaning over at 0.5 rad/s.
    return kane, {}, {u[1]: 0.5, u[4]: 4.6 / rear_radius, u[5]: 4.6 / front_radius}


@pytest.mark.parametrize("system", [rolling_disk, four_bar, bicycle])
def test_kane_with_constraints_agrees_with_scipy_and_does_not_drift(system):
    kane, constants, initial = system()
    model = taut.from_sympy(kane, parameters=constants, initial=initial)
    run = model.run(until=1, rtol=1e-11)
    assert run.verdict == "done"
    violations = [run.summary["max_velocity_violation"], run.summary["max_position_violation"] or 0]
    assert max(violations) < 1e-11
    truth = by_scipy(kane, constants, initial, 1)
    # SciPy lets its constraints drift, by as much as its tolerance: errors grow by some orders over the motion.
    assert abs(final(run) - truth).max() < 1e-7


def test_a_lagrangian_with_constraints_is_the_pendulum():
    x, y = dynamicsymbols("x y")
    m, g, length = sympy.symbols("m g l")
    kinetic = m / 2 * (x.diff() ** 2 + y.diff() ** 2)
    model = taut.from_sympy(
        kinetic - m * g * y,
        [x, y],
        parameters={m: 1, g: 9.81, length: 1},
        initial={x: 1},
        constraints=[x**2 + y**2 - length**2],
        forces={x: -x.diff() / 10},
        outputs={"angle": sympy.atan2(x, -y)},
    )
    plain = taut.read(
        "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 1, y: 0}\nkinetic_energy: m/2*(x'^2 + y'^2)\n"
        "potential_energy: m*g*y\nforces: {x: -x'/10}\nconstraints: {rod: x^2 + y^2 = 1}\n"
    )
    one, other = (m.run(until=2, rtol=1e-10) for m in (model, plain))
    assert one["x"][-1] == pytest.approx(other["x"][-1], abs=1e-8)
    assert one["angle"][0] == pytest.approx(np.pi / 2)


def test_lagranges_method_and_its_constraints():
    x, y = dynamicsymbols("x y")
    frame = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(frame, 0)
    at = origin.locatenew("P", x * frame.x + y * frame.y)
    at.set_vel(frame, x.diff() * frame.x + y.diff() * frame.y)
    ball = Particle("B", at, 2)
    ball.potential_energy = 2 * sympy.Float("9.81") * y
    method = LagrangesMethod(mechanics.Lagrangian(frame, ball), [x, y], hol_coneqs=[x**2 + y**2 - 1], frame=frame)
    method.form_lagranges_equations()
    run = taut.from_sympy(method, initial={x: 1}).run(until=2, rtol=1e-10)
    assert run["x"][-1] == pytest.approx(taut.load("pendulum").run(until=2, rtol=1e-10)["x"][-1], abs=1e-8)
    assert run.summary["max_position_violation"] < 1e-11


def test_what_is_missing_is_said():
    x = dynamicsymbols("x")
    k = sympy.Symbol("k")
    with pytest.raises(taut.InputError, match="no value is given for k"):
        taut.from_sympy(x.diff() ** 2 / 2 - k * x**2, [x])
    with pytest.raises(taut.InputError, match="without coordinates"):
        taut.from_sympy(x.diff() ** 2)
    with pytest.raises(taut.InputError, match="cannot be made of a str"):
        taut.from_sympy("x^2")


def test_formulas_of_every_kind():
    x = dynamicsymbols("x")
    t = dynamicsymbols._t
    force = sympy.Piecewise((sympy.sin(t), x < 1), (sympy.Abs(x) ** sympy.Rational(3, 2), True)) + sympy.Max(x, 0) / 3
    model = taut.from_sympy(x.diff() ** 2 / 2, [x], forces={x: force}, initial={x: 2})
    assert model.run(until=0.1).verdict == "done"
