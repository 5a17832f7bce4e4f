"""The real server whose robots take ``MINUTE`` seconds for a minute."""

import os

from companion.__main__ import main  # isort: skip - it patches eventlet

from companion.service import robot_desk

robot_desk.ABSENT_MS = robot_desk.QUIET_MS = int(float(os.environ["MINUTE"]) * 1000)


if __name__ == "__main__":
    main()
