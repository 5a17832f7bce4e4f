"""Write both documents: ``python -m companion.web.wire_schema FOLDER``."""

import sys
from pathlib import Path

from companion.web import wire_schema

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
for name in wire_schema.NAMES:
    (folder / name).write_bytes(wire_schema.document(name))
