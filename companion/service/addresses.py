"""Groups network addresses, so that a limit applies to a household or to a wider range.

A household is one IPv4 address, or a /64 network of IPv6. A provider may give one customer far more
addresses than a /64 contains. Wider ranges therefore have limits of their own, which are multiples
of a household's limit.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

HOUSEHOLD = "/64"

WIDER = {56: 4, 48: 16}
"""Maps the prefix length of a wider IPv6 range to the range's limit, as a multiple of a household's
limit.

A provider gives one customer a network between /64 and /48. In a mobile network many customers
share such a range.
"""

OWN_MACHINE = "localhost"
"""Stands for a client on the server's own machine, which isn't limited to a share of the robots."""

NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address from a connection or from a proxy's header, with or without a port.

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
    """Return the household of an address: an IPv4 address, or a /64 network of IPv6.

    An IPv6 address that contains an IPv4 address (6to4, Teredo, NAT64) counts as that IPv4 address.
    """
    parsed = address_of(address)
    if isinstance(parsed, IPv6Address):
        parsed = _embedded_ipv4(parsed) or parsed
    if parsed is None:
        # without a slash, the text can't be taken for a network
        return address.replace("/", " ")
    if parsed.version == 4:
        return str(parsed)
    return str(IPv6Network((int(parsed), 64), strict=False))


def _embedded_ipv4(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour or (address.teredo[1] if address.teredo else None)


@lru_cache(maxsize=4096)
def containing_ranges(who: str) -> tuple[tuple[str, int], ...]:
    """Return a household and the wider IPv6 ranges that contain it, each with a factor.

    A range's limit is the household's limit times this factor (see ``WIDER``). If ``who`` is an
    IPv4 address or a seat, return only ``who``, with the factor 1.
    """
    if not who.endswith(HOUSEHOLD):
        return ((who, 1),)
    network = IPv6Network(who)
    wider = ((str(network.supernet(new_prefix=size)), factor) for size, factor in WIDER.items())
    return ((who, 1), *wider)


def count_in(range_: str, addresses: Iterable[str]) -> int:
    """Return how many of these households are in an address range (see ``containing_ranges``)."""
    return sum(any(range_ == wider for wider, _ in containing_ranges(who)) for who in addresses)
