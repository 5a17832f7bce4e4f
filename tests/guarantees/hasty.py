"""The real server, in which a minute lasts ``MINUTE`` seconds for the robots."""

import os

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from companion.service.robot_hosting import desk

desk.ABSENT_MS = desk.QUIET_MS = int(float(os.environ["MINUTE"]) * 1000)


if __name__ == "__main__":
    main()
