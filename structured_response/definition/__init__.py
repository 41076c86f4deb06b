"""Types, definitions and the plan that everything else runs on."""
# ruff: noqa: F403 - a module keeps to itself what begins with an underscore

from .document import *
from .from_type import *
from .jsonable import *
from .keywords import *
from .names import *
from .node import *
from .plan import *
from .select import *
from .unions import *
