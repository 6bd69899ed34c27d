"""A small importer of functional mock-up units, written against the text of the standard (FMI 2.0.4 and 3.0.1) and
independent of the exporter: reads and checks the description, loads the binary, and runs Model Exchange and
Co-Simulation with integrators of its own."""

import ctypes as c
import math
import os
import tempfile
import xml.etree.ElementTree as xml
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL = range(5)


class Broken(Exception):
    """A unit, or its description, is not what the standard asks for."""


class Variable:
    def __init__(self, name, reference, causality, variability, initial, start, derivative):
        self.name, self.reference, self.causality, self.variability = name, reference, causality, variability
        self.initial, self.start, self.derivative = initial, start, derivative


INITIAL = {  # which `initial` goes with causality and variability, table of section 2.2.7 (2.0) and 2.4.7.5 (3.0)
    ("parameter", "fixed"): {"exact"}, ("parameter", "tunable"): {"exact"},
    ("calculatedParameter", "fixed"): {"calculated", "approx"},
    ("calculatedParameter", "tunable"): {"calculated", "approx"},
    ("output", "continuous"): {"exact", "calculated", "approx"}, ("local", "continuous"): {"exact", "calculated", "approx"},
    ("local", "discrete"): {"exact", "calculated", "approx"}, ("output", "discrete"): {"exact", "calculated", "approx"},
    ("local", "constant"): {"exact"}, ("local", "fixed"): {"calculated", "approx"},
    ("input", "continuous"): {None}, ("input", "discrete"): {None}, ("independent", "continuous"): {None},
}


def require(holds, sentence):
    if not holds:
        raise Broken(sentence)


def whole(text):
    try:
        return int(text)
    except (TypeError, ValueError):
        raise Broken("%r is no whole number" % text)


class Description:
    def __init__(self, text):
        try:
            root = xml.fromstring(text)
        except xml.ParseError as error:
            raise Broken("modelDescription.xml is no XML: %s" % error)
        require(root.tag == "fmiModelDescription", "the root is not fmiModelDescription")
        self.version = (root.get("fmiVersion") or "").split(".")[0]
        require(self.version in ("2", "3"), "fmiVersion is neither 2.0 nor 3.0")
        self.name = root.get("modelName")
        require(self.name, "modelName is missing")
        self.token = root.get("guid" if self.version == "2" else "instantiationToken")
        require(self.token, "guid or instantiationToken is missing")
        self.exchange, self.co = root.find("ModelExchange"), root.find("CoSimulation")
        require(self.exchange is not None or self.co is not None, "neither Model Exchange nor Co-Simulation")
        kinds = [k for k in (self.exchange, self.co) if k is not None]
        self.identifier = kinds[0].get("modelIdentifier")
        require(self.identifier and all(ch.isalnum() or ch == "_" for ch in self.identifier), "modelIdentifier")
        self.variables = list(self.read_variables(root))
        require(len({v.name for v in self.variables}) == len(self.variables), "a name stands twice")
        self.check_variables()
        self.by_name = {v.name: v for v in self.variables}
        self.read_structure(root)

    def read_variables(self, root):
        holder = root.find("ModelVariables")
        require(holder is not None and len(holder) > 0, "ModelVariables is missing")
        for entry in holder:
            if self.version == "2":
                require(entry.tag == "ScalarVariable" and len(entry) >= 1 and entry[0].tag == "Real", "a ScalarVariable")
                typed = entry[0]
            else:
                require(entry.tag == "Float64", "a variable of an unknown type")
                typed = entry
            derivative = typed.get("derivative")
            try:
                start = None if typed.get("start") is None else float(typed.get("start"))
                reference = int(entry.get("valueReference"))
                derivative = None if derivative is None else int(derivative)
            except (TypeError, ValueError):
                raise Broken("a number of a variable is none")
            require(start is None or math.isfinite(start), "a start value is not finite")
            yield Variable(entry.get("name"), reference, entry.get("causality", "local"),
                           entry.get("variability", "continuous"), entry.get("initial"), start, derivative)

    def check_variables(self):
        for v in self.variables:
            allowed = INITIAL.get((v.causality, v.variability))
            require(allowed is not None, "%s: %s %s" % (v.name, v.causality, v.variability))
            require(v.initial in allowed or (v.initial is None and v.causality not in ("parameter",)), v.name + ": initial")
            needs_start = v.initial in ("exact", "approx") or v.causality == "input"
            require(needs_start == (v.start is not None), v.name + ": start")
        require(sum(v.causality == "independent" for v in self.variables) <= 1, "two independent variables")

    def variable(self, number):
        """By the index of version 2, counted from 1, or by the reference of version 3."""
        if self.version == "2":
            require(1 <= number <= len(self.variables), "an index beyond the variables")
            return self.variables[number - 1]
        found = [v for v in self.variables if v.reference == number]
        require(found, "a reference that no variable has")
        return found[0]

    def read_structure(self, root):
        structure = root.find("ModelStructure")
        require(structure is not None, "ModelStructure is missing")
        if self.version == "2":
            unknowns = lambda tag: [] if structure.find(tag) is None else list(structure.find(tag))
            outputs, rates, initial = unknowns("Outputs"), unknowns("Derivatives"), unknowns("InitialUnknowns")
            key = "index"
            self.indicators = whole(root.get("numberOfEventIndicators", "0"))
        else:
            outputs, rates = structure.findall("Output"), structure.findall("ContinuousStateDerivative")
            initial, key = structure.findall("InitialUnknown"), "valueReference"
            self.indicators = len(structure.findall("EventIndicator"))
        number = lambda entry: whole(entry.get(key))
        self.outputs = [self.variable(number(e)) for e in outputs]
        self.rates = [self.variable(number(e)) for e in rates]
        require(all(v.derivative is not None for v in self.rates), "a derivative says not of what")
        self.states = [self.variable(v.derivative) for v in self.rates]
        require({v.name for v in self.outputs} == {v.name for v in self.variables if v.causality == "output"}, "Outputs")
        for entry in outputs + rates + initial:
            for dependency in (entry.get("dependencies") or "").split():
                self.variable(whole(dependency))
        listed = {self.variable(number(e)).name for e in initial}
        asked = {v.name for v in self.outputs if v.initial in ("calculated", "approx")}
        asked |= {v.name for v in self.variables if v.causality == "calculatedParameter"}
        asked |= {v.name for v in self.states + self.rates if v.initial in ("calculated", "approx")}
        require(listed == asked, "InitialUnknowns are not what the standard asks for")


LOGGER = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_int, c.c_char_p, c.c_char_p)
LOGGER3 = c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.c_char_p, c.c_char_p)
ALLOCATE = c.CFUNCTYPE(c.c_void_p, c.c_size_t, c.c_size_t)
FREE = c.CFUNCTYPE(None, c.c_void_p)


class Callbacks(c.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", ALLOCATE), ("free", FREE), ("finished", c.c_void_p), ("environment", c.c_void_p)]


class EventInfo(c.Structure):
    _fields_ = [("needed", c.c_int), ("terminate", c.c_int), ("nominals", c.c_int), ("values", c.c_int),
                ("defined", c.c_int), ("time", c.c_double)]


class Unit:
    """An archive, read and loaded."""

    def __init__(self, path):
        try:
            with zipfile.ZipFile(path) as archive:
                require(archive.testzip() is None, "a file of the archive is damaged")
                require("modelDescription.xml" in archive.namelist(), "there is no modelDescription.xml")
                self.description = Description(archive.read("modelDescription.xml"))
                folder = "linux64" if self.description.version == "2" else "x86_64-linux"
                binary = "binaries/%s/%s.so" % (folder, self.description.identifier)
                require(binary in archive.namelist(), "there is no binary for this platform: " + binary)
                self.folder = tempfile.TemporaryDirectory()
                archive.extractall(self.folder.name)
        except zipfile.BadZipFile as error:
            raise Broken("no archive: %s" % error)
        try:
            self.library = c.CDLL(os.path.join(self.folder.name, binary))
        except OSError as error:
            raise Broken("the binary cannot be loaded: %s" % error)
        self.messages = []

    def instance(self, exchange, token=None):
        return (Instance2 if self.description.version == "2" else Instance3)(self, exchange, token)


def doubles(values):
    return (c.c_double * max(1, len(values)))(*values)


class Instance:
    """What both versions share."""

    def __init__(self, unit, exchange, token):
        self.unit, self.library, self.exchange = unit, unit.library, exchange
        self.description = unit.description
        self.handle = self.instantiate((token or unit.description.token).encode())
        require(self.handle, "the unit makes no instance")

    def call(self, name, *arguments):
        function = getattr(self.library, self.prefix + name)
        function.restype = c.c_int
        return function(c.c_void_p(self.handle), *arguments)

    def demand(self, name, *arguments):
        status = self.call(name, *arguments)
        require(status in (OK, WARNING), "%s%s returns %d" % (self.prefix, name, status))

    def references(self, names):
        return (c.c_uint * max(1, len(names)))(*[self.description.by_name[n].reference for n in names])

    def get(self, names):
        values = doubles([0.0] * len(names))
        require(self.get_status(names, values) == OK, "values cannot be read")
        return list(values)[: len(names)]

    def free(self):
        getattr(self.library, self.prefix + "FreeInstance")(c.c_void_p(self.handle))
        self.handle = None

    def rates(self, t, x):
        self.demand("SetTime", c.c_double(t))
        self.demand("SetContinuousStates", doubles(x), c.c_size_t(len(x)))
        out = doubles([0.0] * len(x))
        status = self.call(self.rates_name, out, c.c_size_t(len(x)))
        return None if status != OK else list(out)[: len(x)]

    def directional(self, unknown, known, seed):
        """The derivative of the unknowns along a direction of the knowns; None where the unit refuses."""
        u, k = c.c_size_t(len(unknown)), c.c_size_t(len(known))
        out = doubles([0.0] * len(unknown))
        sizes = ((), ()) if self.prefix == "fmi2" else ((k,), (u,))
        status = self.call("GetDirectionalDerivative", self.references(unknown), u, self.references(known), k, doubles(seed),
                           *sizes[0], out, *sizes[1])
        return list(out)[: len(unknown)] if status == OK else None

    def at(self, t, x):
        self.demand("SetTime", c.c_double(t))
        self.demand("SetContinuousStates", doubles(x), c.c_size_t(len(x)))

    def states(self):
        n = len(self.description.states)
        out = doubles([0.0] * n)
        self.demand("GetContinuousStates", out, c.c_size_t(n))
        return list(out)[:n]


class Instance2(Instance):
    prefix, rates_name, boolean = "fmi2", "GetDerivatives", c.c_int

    def instantiate(self, token):
        libc = c.CDLL(None)
        libc.calloc.restype, libc.calloc.argtypes = c.c_void_p, (c.c_size_t, c.c_size_t)
        libc.free.argtypes = (c.c_void_p,)
        self.callbacks = Callbacks(LOGGER(lambda *a: self.unit.messages.append(a[4])), c.cast(libc.calloc, ALLOCATE),
                                   c.cast(libc.free, FREE), None, None)
        make = self.library.fmi2Instantiate
        make.restype = c.c_void_p
        return make(b"test", c.c_int(0 if self.exchange else 1), c.c_char_p(token), b"", c.byref(self.callbacks), 0, 0)

    def setup(self, start=0.0):
        return self.call("SetupExperiment", 0, c.c_double(0), c.c_double(start), 0, c.c_double(0))

    def initialise(self, start=0.0):
        require(self.setup(start) == OK, "SetupExperiment")
        self.demand("EnterInitializationMode")
        self.demand("ExitInitializationMode")
        if self.exchange:
            self.events()

    def events(self):
        info = EventInfo()
        info.needed, changed = 1, False
        while info.needed:
            self.demand("NewDiscreteStates", c.byref(info))
            changed = changed or bool(info.values)
        self.next_event = info.time if info.defined else math.inf
        self.demand("EnterContinuousTimeMode")
        return changed

    def completed(self):
        event, end = c.c_int(), c.c_int()
        self.demand("CompletedIntegratorStep", 1, c.byref(event), c.byref(end))
        return event.value

    def get_status(self, names, values):
        return self.call("GetReal", self.references(names), c.c_size_t(len(names)), values)

    def set(self, names, values):
        return self.call("SetReal", self.references(names), c.c_size_t(len(names)), doubles(values))

    def step(self, t, h):
        return self.call("DoStep", c.c_double(t), c.c_double(h), 1)

    state_words = ("GetFMUstate", "SetFMUstate", "FreeFMUstate", "SerializedFMUstateSize", "SerializeFMUstate",
                   "DeSerializeFMUstate")


class Instance3(Instance):
    prefix, rates_name, boolean = "fmi3", "GetContinuousStateDerivatives", c.c_bool

    def instantiate(self, token):
        self.log = LOGGER3(lambda *a: self.unit.messages.append(a[3]))
        if self.exchange:
            make = self.library.fmi3InstantiateModelExchange
            make.restype = c.c_void_p
            return make(b"test", c.c_char_p(token), b"", c.c_bool(False), c.c_bool(False), None, self.log)
        make = self.library.fmi3InstantiateCoSimulation
        make.restype = c.c_void_p
        return make(b"test", c.c_char_p(token), b"", c.c_bool(False), c.c_bool(False), c.c_bool(False), c.c_bool(False),
                    None, c.c_size_t(0), None, self.log, None)

    def setup(self, start=0.0):
        return self.call("EnterInitializationMode", c.c_bool(False), c.c_double(0), c.c_double(start), c.c_bool(False), c.c_double(0))

    def initialise(self, start=0.0):
        require(self.setup(start) == OK, "EnterInitializationMode")
        self.demand("ExitInitializationMode")
        if self.exchange:
            self.events()

    def events(self):
        flags = [c.c_bool(True)] + [c.c_bool() for _ in range(4)]
        time, changed = c.c_double(), False
        while flags[0].value:
            self.demand("UpdateDiscreteStates", *[c.byref(f) for f in flags], c.byref(time))
            changed = changed or flags[3].value
        self.next_event = time.value if flags[4].value else math.inf
        self.demand("EnterContinuousTimeMode")
        return changed

    def completed(self):
        event, end = c.c_bool(), c.c_bool()
        self.demand("CompletedIntegratorStep", c.c_bool(True), c.byref(event), c.byref(end))
        return event.value

    def get_status(self, names, values):
        n = c.c_size_t(len(names))
        return self.call("GetFloat64", self.references(names), n, values, n)

    def set(self, names, values):
        n = c.c_size_t(len(names))
        return self.call("SetFloat64", self.references(names), n, doubles(values), n)

    def step(self, t, h):
        flags = [c.c_bool() for _ in range(3)]
        reached = c.c_double()
        return self.call("DoStep", c.c_double(t), c.c_double(h), c.c_bool(True), *[c.byref(f) for f in flags], c.byref(reached))

    state_words = ("GetFMUState", "SetFMUState", "FreeFMUState", "SerializedFMUStateSize", "SerializeFMUState",
                   "DeserializeFMUState")


# ---- integrators that know nothing of constraints ------------------------------------------------------

A = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
     [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
C = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def runge_kutta_45(unit, x, t, until, rtol=1e-8, atol=1e-10, seen=None, given=None):
    """Dormand and Prince, with error control. Steps end at events of time; `given` sets inputs before each evaluation."""
    give = given or (lambda t: None)
    give(t)
    h, k0, n = 1e-4, unit.rates(t, x), len(x)
    while t < until:
        while unit.next_event <= t + 1e-13:
            unit.at(t, x)
            unit.demand("EnterEventMode")
            unit.events()
            x = unit.states()
            k0 = unit.rates(t, x)
        h = min(h, until - t, unit.next_event - t)
        k = [k0]
        for i in range(1, 7):
            y = [x[j] + h * sum(A[i][m] * k[m][j] for m in range(i) if A[i][m]) for j in range(n)]
            give(t + C[i] * h)
            slope = unit.rates(t + C[i] * h, y)
            if slope is None:
                break
            k.append(slope)
        if len(k) < 7:
            h *= 0.25
            require(h > 1e-14, "no step is short enough")
            continue
        error = [h * sum(E[m] * k[m][j] for m in range(7) if E[m]) for j in range(n)]
        size = math.sqrt(sum((e / (atol + rtol * max(abs(a), abs(b)))) ** 2 for e, a, b in zip(error, x, y)) / n)
        if size <= 1:
            t, x, k0 = t + h, y, k[6]
            unit.demand("SetTime", c.c_double(t))
            unit.demand("SetContinuousStates", doubles(x), c.c_size_t(n))
            require(not unit.completed(), "an event is asked for")
            if seen:
                seen(t, x)
        h *= min(5.0, max(0.2, 0.9 * size ** -0.2 if size > 0 else 5.0))
        require(h > 1e-14, "no step is short enough")
    return x


def euler(unit, x, t, until, h, seen=None):
    for k in range(round((until - t) / h)):
        slope = unit.rates(t + k * h, x)
        require(slope is not None, "the rates have no value")
        x = [a + h * b for a, b in zip(x, slope)]
        unit.demand("SetTime", c.c_double(t + (k + 1) * h))
        unit.demand("SetContinuousStates", doubles(x), c.c_size_t(len(x)))
        unit.completed()
        if seen:
            seen(t + (k + 1) * h, x)
    return x


# Backward differences of orders 1 to 5 with steps of changing length, as Shampine and Reichelt have them (The MATLAB ODE
# Suite, 1997): D holds differences of the past, KAPPA lowers the error of each order.
KAPPA = [0, -0.1850, -1 / 9, -0.0823, -0.0415, 0]
GAMMA = [sum(1 / j for j in range(1, k + 1)) for k in range(6)]
ALPHA = [(1 - KAPPA[k]) * GAMMA[k] for k in range(6)]
SHARE = [KAPPA[k] * GAMMA[k] + 1 / (k + 1) for k in range(6)]


def factored(matrix):
    """L and U in one, and the order of the rows."""
    a, n, order = [list(row) for row in matrix], len(matrix), list(range(len(matrix)))
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        require(a[pivot][k] != 0, "a Jacobian is singular")
        a[k], a[pivot], order[k], order[pivot] = a[pivot], a[k], order[pivot], order[k]
        for i in range(k + 1, n):
            a[i][k] /= a[k][k]
            if a[i][k]:
                f, top = a[i][k], a[k]
                a[i][k + 1:] = [x - f * y for x, y in zip(a[i][k + 1:], top[k + 1:])]
    return a, order


def solved(factors, b):
    a, order = factors
    n, x = len(a), [b[i] for i in order]
    for i in range(n):
        x[i] -= sum(a[i][j] * x[j] for j in range(i))
    for i in reversed(range(n)):
        x[i] = (x[i] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return x


def rescale(D, order, factor):
    """Differences for steps that are `factor` times as long."""
    def matrix(f):
        rows = [[1.0] * (order + 1)] + [[0.0] * (order + 1) for _ in range(order)]
        for i in range(1, order + 1):
            for j in range(1, order + 1):
                rows[i][j] = rows[i - 1][j] * (i - 1 - f * j) / i
            rows[i][0] = 0.0
        return rows
    R, U = matrix(factor), matrix(1.0)
    M = [[sum(R[i][k] * U[k][j] for k in range(order + 1)) for j in range(order + 1)] for i in range(order + 1)]
    old = [list(row) for row in D[: order + 1]]
    for j in range(order + 1):
        D[j] = [sum(M[i][j] * old[i][n] for i in range(order + 1)) for n in range(len(D[0]))]


def jacobian(unit, t, x):
    """By directional derivatives of the unit, columns by columns."""
    unit.at(t, x)
    states, rates = ([v.name for v in list_] for list_ in (unit.description.states, unit.description.rates))
    columns = []
    for name in states:
        column = unit.directional(rates, [name], [1.0])
        require(column is not None, "there is no directional derivative")
        columns.append(column)
    return [[column[i] for column in columns] for i in range(len(x))]


def backward_differences(unit, x, t, until, rtol=1e-8, atol=1e-10, seen=None):
    n, order, equal = len(x), 1, 0
    slope = unit.rates(t, x)
    h = min(1e-5, until - t)
    D = [list(x), [h * s for s in slope]] + [[0.0] * n for _ in range(6)]
    J, fresh, factors = jacobian(unit, t, x), True, None

    def norm(v, y):
        return math.sqrt(sum((a / (atol + rtol * abs(b))) ** 2 for a, b in zip(v, y)) / n) if n else 0.0

    def change(factor):
        nonlocal h, equal, factors
        rescale(D, order, factor)
        h, equal, factors = h * factor, 0, None

    while t < until - 1e-14 * max(1.0, until):
        stop = min(until, unit.next_event)
        if t + h > stop:
            change(max((stop - t) / h, 1e-12))
        require(h > 1e-14, "no step is short enough")
        now, guess = t + h, [sum(D[k][i] for k in range(order + 1)) for i in range(n)]
        psi = [sum(D[k][i] * GAMMA[k] for k in range(1, order + 1)) / ALPHA[order] for i in range(n)]
        scale = h / ALPHA[order]
        if factors is None:
            factors = factored([[(i == j) - scale * J[i][j] for j in range(n)] for i in range(n)])
        y, d, last, good = list(guess), [0.0] * n, None, False
        for _ in range(6):
            f = unit.rates(now, y)
            if f is None:
                break
            dy = solved(factors, [scale * f[i] - psi[i] - d[i] for i in range(n)])
            size = norm(dy, y)
            y, d = [a + b for a, b in zip(y, dy)], [a + b for a, b in zip(d, dy)]
            rate = None if not last else size / last
            if size == 0 or (rate is not None and rate < 1 and rate / (1 - rate) * size < 1e-3) or size < 1e-6:
                good = True
                break
            if rate is not None and rate >= 1:
                break
            last = size
        if not good:
            if fresh:
                change(0.25)
            else:
                unit.at(t, D[0])
                J, fresh, factors = jacobian(unit, t, D[0]), True, None
            continue
        error = norm([SHARE[order] * a for a in d], y)
        if error > 1:
            change(max(0.2, 0.9 * error ** (-1 / (order + 1))))
            continue
        t, x, fresh, equal = now, y, False, equal + 1
        D[order + 2] = [a - b for a, b in zip(d, D[order + 1])]
        D[order + 1] = d
        for k in reversed(range(order + 1)):
            D[k] = [a + b for a, b in zip(D[k], D[k + 1])]
        unit.at(t, x)
        require(not unit.completed(), "an event is asked for")
        if seen:
            seen(t, x)
        if unit.next_event <= t + 1e-13:
            unit.demand("EnterEventMode")
            unit.events()
            x = unit.states()
            h, order, equal, factors = 1e-5, 1, 0, None
            D[0], D[1] = list(x), [h * s for s in unit.rates(t, x)]
            D[2:] = [[0.0] * n for _ in range(6)]
            J, fresh = jacobian(unit, t, x), True
            continue
        if equal <= order:
            continue
        lower = norm([SHARE[order - 1] * a for a in D[order]], x) if order > 1 else math.inf
        upper = norm([SHARE[order + 1] * a for a in D[order + 2]], x) if order < 5 else math.inf
        factors_of = [e ** (-1 / (order + k)) if e > 0 else 10.0 for k, e in enumerate((lower, error, upper))]
        best = max(range(3), key=lambda k: factors_of[k])
        order += best - 1
        change(min(10.0, 0.9 * factors_of[best]))
    return x
