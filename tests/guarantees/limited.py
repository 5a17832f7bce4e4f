"""The real server with a hard limit of ``FILES`` open files, and a soft limit of half as many."""

import os
import resource

HARD = int(os.environ.get("FILES", "320"))

resource.setrlimit(resource.RLIMIT_NOFILE, (HARD // 2, HARD))

from companion.__main__ import main  # noqa: E402

if __name__ == "__main__":
    main()
