"""What is written in Rust."""

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

__version__: str

def ask(
    words: Sequence[str],
    program: str,
    *,
    x: NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any], int] | None = None,
    y: NDArray[Any] | None = None,
    names: Sequence[str] | None = None,
    behind: Sequence[tuple[str, NDArray[Any]]] | None = None,
    called: str = "arrays",
    remarks: Sequence[str] | None = None,
    own: int | None = None,
    threads: int | None = None,
    progress: Callable[[float | None, list[str]], object] | None = None,
) -> dict[str, Any]: ...
