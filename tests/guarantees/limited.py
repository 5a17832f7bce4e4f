"""The real server with a hard limit of ``FILES`` open files, and a soft limit of half as many."""

import os

HARD = int(os.environ.get("FILES", "320"))


def limit_files() -> None:
    import resource  # Windows doesn't have it

    resource.setrlimit(resource.RLIMIT_NOFILE, (HARD // 2, HARD))


limit_files()

from companion.__main__ import main  # noqa: E402

if __name__ == "__main__":
    main()
