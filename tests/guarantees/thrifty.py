"""The real server with another limit on the number of tables with house rules that one address can
make. The environment variable ``TABLES`` contains the limit.
"""

import os

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from companion.service import live_tables
from companion.service.errors import Share

live_tables.HOUSE_RULES_SHARE = Share(live_tables.HOUSE_RULES_SHARE.what, int(os.environ["TABLES"]))


if __name__ == "__main__":
    main()
