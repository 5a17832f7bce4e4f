"""Names and paths of cookies.

A server on another port of this host, or on a sibling domain, can set a cookie with any plain name
for this server. Over TLS, browsers prevent this for names with a prefix: ``__Host-`` if this server
owns all paths of its host, ``__Secure-`` if this server is published under a path.
"""

from wsgiref.types import WSGIEnvironment

PREFIXES = ("__Host-", "__Secure-")


def is_secure(environ: WSGIEnvironment) -> bool:
    return bool(environ["wsgi.url_scheme"] == "https")


def full_name(name: str, environ: WSGIEnvironment) -> str:
    """Return the cookie's name with the prefix that fits this request."""
    if not is_secure(environ):
        return name
    return ("__Secure-" if environ.get("SCRIPT_NAME") else "__Host-") + name


def path(environ: WSGIEnvironment) -> str:
    """Return the path of all cookies: the server's root."""
    return f"{environ.get('SCRIPT_NAME', '')}/"
