"""What type checkers see of `arrays`: numpy itself."""

from numpy import *  # noqa: F403 - numpy, whatever it has
from numpy.typing import NDArray as NDArray
