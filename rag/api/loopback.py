"""Which addresses only this machine can reach."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether it names this machine alone; a name other than localhost may be anything."""
    try:
        return host.casefold() == "localhost" or ip_address(unmapped(host.strip("[]"))).is_loopback
    except ValueError:
        return False


def unmapped(host: str) -> str:
    """An IPv4 address as itself where a socket for both kinds wrote it as IPv6."""
    return host.removeprefix("::ffff:")
