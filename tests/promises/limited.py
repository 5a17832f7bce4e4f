"""The real server where only a few files may be open, and fewer at its start."""

import resource

HARD = 320

resource.setrlimit(resource.RLIMIT_NOFILE, (HARD // 2, HARD))

from companion.__main__ import main  # noqa: E402

if __name__ == "__main__":
    main()
