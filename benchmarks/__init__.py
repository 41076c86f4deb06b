"""How fast the library is, and how well it reads; `run.py` runs what belongs on the page of results.

`READER=path/to/another/checkout` before any of these commands measures that checkout's library with the code here.
"""

import os
import sys

if _checkout := os.environ.get("READER"):
    sys.path.insert(0, _checkout)
    import structured_response  # noqa: F401 - imported once, it is the library of this whole process

    sys.path.remove(_checkout)
