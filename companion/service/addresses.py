"""Groups network addresses for limits: into households, and into wider ranges.

A household is one IPv4 address, or a /64 of IPv6. A provider may give one customer far more than a
/64, so wider ranges have limits of their own, which are multiples of a household's.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

HOUSEHOLD = "/64"

WIDER = {56: 4, 48: 16}
"""Prefix length of an IPv6 range → its limit as a multiple of a household's. A provider gives one
customer a /64 to a /48; in a mobile network many customers share such a range."""

NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Parse the address of a connection or from a proxy's header, with or without a port.

    Return None if the text isn't an address.
    """
    host, _, rest = text.strip().removeprefix("[").partition("]")
    if not rest and host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if address.version == 6 else address


def household(address: str) -> str:
    """Return the name by which an address is limited: an IPv4 address, or a /64 of IPv6.

    A household has at least a /64. An IPv6 address with an embedded IPv4 address (6to4, Teredo,
    NAT64) counts as that IPv4 address.
    """
    parsed = address_of(address)
    if isinstance(parsed, IPv6Address):
        parsed = _embedded_ipv4(parsed) or parsed
    if parsed is None:
        return address.replace("/", " ")  # not even a range
    if parsed.version == 4:
        return str(parsed)
    return str(IPv6Network((int(parsed), 64), strict=False))


def _embedded_ipv4(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour or (address.teredo[1] if address.teredo else None)


@lru_cache(maxsize=4096)
def ranges(who: str) -> tuple[tuple[str, int], ...]:
    """Return the ranges in which a household is counted, each with its multiple of the limit.

    A seat, or an IPv4 address, is only counted by itself.
    """
    if not who.endswith(HOUSEHOLD):
        return ((who, 1),)
    network = IPv6Network(who)
    wider = ((str(network.supernet(new_prefix=size)), factor) for size, factor in WIDER.items())
    return ((who, 1), *wider)


def count_in(range_: str, addresses: Iterable[str]) -> int:
    """Return how many of these households are in one of the ranges that ``ranges`` returns."""
    return sum(any(range_ == wider for wider, _ in ranges(who)) for who in addresses)
