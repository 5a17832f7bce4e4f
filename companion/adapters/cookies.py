"""Names and paths of cookies. Another port of this host, or a sister domain, can plant a cookie of
any plain name in a browser. Over TLS a name can have a prefix, which keeps them from it:
``__Host-`` where this server has all paths, ``__Secure-`` where it is served under one of its own.
"""

from wsgiref.types import WSGIEnvironment

PREFIXES = ("__Host-", "__Secure-")


def is_secure(environ: WSGIEnvironment) -> bool:
    return bool(environ["wsgi.url_scheme"] == "https")


def full_name(name: str, environ: WSGIEnvironment) -> str:
    """The name under which this request's browser keeps the cookie."""
    if not is_secure(environ):
        return name
    return ("__Secure-" if environ.get("SCRIPT_NAME") else "__Host-") + name


def path(environ: WSGIEnvironment) -> str:
    """The path of all cookies: pages, calls and Socket.IO stand under it."""
    return f"{environ.get('SCRIPT_NAME', '')}/"
