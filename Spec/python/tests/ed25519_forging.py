"""A slow implementation of Ed25519, for signatures that a careless verifier would accept."""

from __future__ import annotations

import hashlib

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
ROOT = pow(2, (PRIME - 1) // 4, PRIME)

Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def add(one: Point, other: Point) -> Point:
    """The sum of two points."""
    (a, b), (c, d) = one, other
    product = D * a * c * b * d
    return (
        (a * d + b * c) * pow(1 + product, PRIME - 2, PRIME) % PRIME,
        (b * d + a * c) * pow(1 - product, PRIME - 2, PRIME) % PRIME,
    )


def times(scalar: int, point: Point) -> Point:
    """A multiple of a point."""
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def recover(y: int, odd: int) -> Point | None:
    """The point of an ordinate, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, PRIME - 2, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if (x * x - square) % PRIME:
        return None
    return (PRIME - x if x & 1 != odd else x) % PRIME, y


BASE = recover(4 * pow(5, PRIME - 2, PRIME) % PRIME, 0) or IDENTITY


def encode(point: Point) -> bytes:
    """The 32 bytes."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def secret(seed: bytes) -> int:
    """The scalar of a seed."""
    raw = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return (raw & (1 << 254) - 8) | 1 << 254


def challenge(r: bytes, public: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % ORDER


def torsion() -> Point:
    """A point of order 8."""
    y = 2
    while True:
        point = recover(y, 0)
        if point is not None:
            small = times(ORDER, point)
            if times(4, small) != IDENTITY:
                return small
        y += 1


def sign(scalar: int, public: bytes, message: bytes, nonce: int, twist: Point = IDENTITY) -> bytes:
    """A signature with a chosen nonce, and with a point added to `R`."""
    r = encode(add(times(nonce, BASE), twist))
    s = (nonce + challenge(r, public, message) * scalar) % ORDER
    return r + s.to_bytes(32, "little")
