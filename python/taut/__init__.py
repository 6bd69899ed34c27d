"""taut: constrained mechanical systems whose constraints do not drift.

    import taut
    run = taut.load("pendulum").run(until=10)
    run["x"], run.t, run.summary["max_position_violation"]
"""

from __future__ import annotations

import sys

try:
    import numpy  # noqa: F401  (asked for first: the compiled part fails without it, and does not say why)
except ImportError as missing:
    raise ImportError(
        f"taut needs NumPy, which {sys.executable} does not have; install it there, "
        "or use the interpreter that has it (on Debian: apt-get install python3-numpy, then /usr/bin/python3)"
    ) from missing

from . import _core
from .builder import Body, Controller, Force, Joint, Part
from .environment import Box, Environment
from .errors import InputError, Place, SimulationError, SimulationWarning, UnknownName
from .formula import Condition, Equation, Formula, acos, asin, atan, atan2, cos, cosh, dot, exp, log, maximum, minimum
from .formula import pi, sign, sin, sinh, smoothstep, sqrt, tan, tanh, where
from .model import Check, Model, gallery, load, read
from .ode import Ode
from .options import lists
from .questions import Answer
from .run import Comparison, Run, Table
from .simulation import Checkpoint, Equations, Inputs, OutputJacobian, PointMotion, Pose, Simulation
from .sweeping import Sweep, open_sweep, sweep
from .symbolic import from_sympy
from .to_sympy import SymbolicEquations

__version__: str = _core.version

__all__ = [
    "Answer",
    "Body",
    "Box",
    "Check",
    "Checkpoint",
    "Comparison",
    "Condition",
    "Controller",
    "Environment",
    "Equation",
    "Equations",
    "Force",
    "Formula",
    "InputError",
    "Inputs",
    "Joint",
    "Model",
    "Ode",
    "OutputJacobian",
    "Part",
    "Place",
    "PointMotion",
    "Pose",
    "Run",
    "Simulation",
    "SimulationError",
    "SimulationWarning",
    "Sweep",
    "SymbolicEquations",
    "Table",
    "UnknownName",
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "dot",
    "exp",
    "from_sympy",
    "gallery",
    "lists",
    "load",
    "log",
    "maximum",
    "minimum",
    "open_sweep",
    "pi",
    "read",
    "sign",
    "sin",
    "sinh",
    "smoothstep",
    "sqrt",
    "sweep",
    "tan",
    "tanh",
    "where",
]
