"""What can go wrong: wrong input, and runs that cannot go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from .run import Run


class Place(NamedTuple):
    """Where in a text something stands; line and column count from 1, 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        text = self.file
        if self.line > 0:
            text += (":" if text else "") + str(self.line)
            if self.column > 0:
                text += f":{self.column}"
        elif self.column > 0:
            text += (": " if text else "") + f"column {self.column}"
        return text


class InputError(ValueError):
    """The input is wrong: `message` says what, `place` where (None if unknown), `remedy` what would mend it."""

    def __init__(self, message: str, place: Optional[Place] = None, remedy: str = "") -> None:
        super().__init__(message, place, remedy)
        self.message = message
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return where + self.message + (f"; {self.remedy}" if self.remedy else "")


class UnknownName(InputError, KeyError):
    """There is nothing of that name; the remedy names the nearest one there is."""


class SimulationError(RuntimeError):
    """A simulation could not go on, or broke a limit it was given. `run` is what it computed until then, if any."""

    def __init__(self, message: str, run: Optional[Run] = None) -> None:
        super().__init__(message, run)
        self.message = message
        self.run = run

    def __str__(self) -> str:
        return self.message


class SimulationWarning(UserWarning):
    """A run reached its end, and what it found is not to be trusted: its verdict says why."""
