"""Hides the modules, functions and devices that Windows lacks from the project's own code.

Python imports this module at its start if the module's folder is in ``PYTHONPATH``. So the module
also works in child processes that inherit the variable. Nothing is hidden from Python's library and
the installed packages, because they support Windows themselves.

A test with this module shows that the project uses nothing that Windows lacks. It can't show other
differences: for example, that an open file can't be replaced, or how Ctrl-C works in a console.
"""

import builtins
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = str(Path(__file__).resolve().parents[3])
OUTSIDE = tuple(os.path.join(ROOT, name) for name in (".venv", "node_modules"))

MODULES = {
    "_posixsubprocess", "crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline",
    "resource", "spwd", "syslog", "termios", "tty",
}  # fmt: skip
"""Modules that Windows doesn't have."""

NAMES = {
    "os": """
        O_ASYNC O_CLOEXEC O_DIRECT O_DIRECTORY O_DSYNC O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK
        O_PATH O_RSYNC O_SYNC SEEK_DATA SEEK_HOLE WCONTINUED WEXITED WEXITSTATUS WIFEXITED
        WIFSIGNALED WNOHANG WTERMSIG WUNTRACED chown chroot confstr copy_file_range ctermid environb
        fchdir fchmod fchown fork forkpty fpathconf fstatvfs get_blocking getegid getenvb geteuid
        getgid getgrouplist getgroups getloadavg getpgid getpgrp getpriority getresuid getsid getuid
        initgroups killpg lchown lockf login_tty memfd_create mkfifo mknod nice openpty pathconf
        pipe2 posix_fadvise posix_fallocate posix_openpt posix_spawn posix_spawnp pread preadv
        pwrite pwritev readv register_at_fork sched_getaffinity sched_setaffinity sched_yield
        sendfile set_blocking setegid seteuid setgid setgroups setpgid setpriority setsid setuid
        splice statvfs sync sysconf sysconf_names tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4
        waitid writev
    """,
    "select": "devpoll epoll kevent kqueue poll",
    "signal": """
        ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL
        SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGSYS SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1
        SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_BLOCK SIG_SETMASK SIG_UNBLOCK alarm getitimer
        pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait
        sigwaitinfo
    """,
    "socket": """
        AF_UNIX CMSG_LEN CMSG_SPACE MSG_DONTWAIT SCM_RIGHTS SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED
        SO_REUSEPORT TCP_INFO recv_fds send_fds sethostname
    """,
    "sys": "abiflags",
    "time": """
        CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME
        CLOCK_THREAD_CPUTIME_ID clock_getres clock_gettime clock_gettime_ns clock_settime
        clock_settime_ns pthread_getcpuclockid tzset
    """,
}
"""Names that a module doesn't have on Windows."""

OTHER_VALUES = {"os": {"name": "nt"}, "sys": {"platform": "win32"}}
"""Names whose values differ on Windows."""


class WindowsModule(ModuleType):
    """A module of Python's library as it is on Windows. Assignments change the real module."""

    def __init__(self, module: ModuleType) -> None:
        name = module.__name__
        vars(self).update(
            __name__=name, _module=module, _hidden={*NAMES[name].split()},
            **OTHER_VALUES.get(name, {}),
        )  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        own = vars(self)
        if name in own["_hidden"]:
            raise AttributeError(f"module {own['__name__']!r} has no attribute {name!r}")
        return getattr(own["_module"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(vars(self)["_module"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["_module"], name)

    def __dir__(self) -> list[str]:
        return [name for name in dir(vars(self)["_module"]) if name not in vars(self)["_hidden"]]


def is_own(file: object) -> bool:
    """Return True if a file belongs to the project."""
    text = os.path.abspath(str(file))
    return text.startswith(ROOT + os.sep) and not text.startswith(OUTSIDE) and file != __file__


def import_as_on_windows(
    name: str, globals: Mapping[str, Any] | None = None, locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (), level: int = 0,
) -> Any:  # fmt: skip
    module = real_import(name, globals, locals, fromlist or (), level)
    if level or not globals or not is_own(globals.get("__file__", "")):
        return module
    if name.partition(".")[0] in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return on_windows.get(module.__name__, module)


def hide_devices(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise ``FileNotFoundError`` if the project's code opens a file of /dev, /proc or /sys."""
    if event != "open" or not isinstance(arguments[0], str):
        return
    path = arguments[0]
    if path == os.devnull or not path.startswith(("/dev/", "/proc/", "/sys/")):
        return
    if path.startswith("/dev/shm/"):  # the tests' temporary folder
        return
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith((LIBRARY, "<frozen")):
        frame = frame.f_back
    if is_own(frame.f_code.co_filename):
        raise FileNotFoundError(2, "No such file or directory", path)


LIBRARY = os.path.dirname(os.__file__) + os.sep
real_import = builtins.__import__
on_windows = {name: WindowsModule(__import__(name)) for name in NAMES}
# the module has another name if a test imports it, and then hides nothing
if __name__ == "sitecustomize":
    builtins.__import__ = import_as_on_windows  # type: ignore[assignment]
    sys.addaudithook(hide_devices)
