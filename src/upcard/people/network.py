"""Which network addresses count as one when attempts are counted.

Somebody with an IPv6 connection has a whole /64 to themselves, so a /64 is one address. A network is what a provider
gives to one customer or building: an IPv4 /24 or an IPv6 /48.
"""

import ipaddress

_ADDRESS_BITS = {4: 32, 6: 64}
_NETWORK_BITS = {4: 24, 6: 48}


def address_of(source: str) -> str:
    """A source as one address: an IPv4 address, or the /64 of an IPv6 address. Any other text is itself."""
    return _prefix(source, _ADDRESS_BITS)


def network_of(source: str) -> str:
    """The network of a source: its IPv4 /24, or its IPv6 /48. Any other text is itself."""
    return _prefix(source, _NETWORK_BITS)


def _prefix(source: str, bits: dict[int, int]) -> str:
    try:
        address = ipaddress.ip_address(source.partition("%")[0])  # without the zone of a link-local address
    except ValueError:
        return source
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return str(ipaddress.ip_network((address, bits[address.version]), strict=False))
