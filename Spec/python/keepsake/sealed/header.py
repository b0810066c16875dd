"""The header of a sealed file: preamble, slots, metadata (Spec/seal.md, sections 2 to 5)."""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import dataclass

from .errors import SealError
from .primitives import KEY, NONCE, TAG, Cost, blake2b, le64, lp, open_bytes, same, seal_bytes

MAGIC = b"\x89KSF\r\n\x1a\n"
PREAMBLE = struct.Struct("<8sBBBBIIIIIQ24s32s32s")
SLOT = struct.Struct("<BBHIII8s32s32s24s48s32s")
PREFIX = 56
DIGESTS = 128
SIGNATURE_BLOCK = 168
MAXIMUM_METADATA = 65_536
MINIMUM_ENCRYPTED = 60
EXPONENTS = (12, 14, 16, 18, 20)
RAW, PASSPHRASE, RECIPIENT = 1, 2, 3
SOLE, OF_KEY_FILE = 1, 2


@dataclass(frozen=True)
class Limits:
    """The limits on the numbers in a header (section 7.1, [S-47]), in bytes unless another unit is given."""

    slots: int = 32
    public_metadata: int = MAXIMUM_METADATA
    encrypted_metadata: int = MAXIMUM_METADATA
    payload: int = 64 << 30
    read: int = 1 << 30
    passphrase_memory: int = 256 << 20
    passphrase_passes: int = 3
    passphrase_total: int = 3 << 30

    def check(self, name: str, announced: int, rule: str = "S-47") -> None:
        """Refuses a number above the limit of this name."""
        limit = getattr(self, name)
        if announced > limit:
            raise SealError("limitExceeded", rule, f"{announced} is beyond the limit `{name}` of {limit}.")


DEFAULT_LIMITS = Limits()


def malformed(rule: str, message: str) -> SealError:
    """The error for a header that breaks a rule."""
    return SealError("malformedHeader", rule, message)


def chunk_count(payload: int, chunk: int) -> int:
    """The number of chunks, at least one."""
    return max(1, -(-payload // chunk))


def level_sizes(chunks: int) -> list[int]:
    """The number of digests in each level of the tree that a trailer contains (section 6.3)."""
    sizes = [chunks]
    while sizes[-1] > DIGESTS:
        sizes.append(-(-sizes[-1] // DIGESTS))
    return sizes


def padded_length(length: int) -> int:
    """The length of Padmé (section 5.1)."""
    if length < 2:
        return length
    exponent = length.bit_length() - 1
    unit = 1 << (exponent - (exponent.bit_length() - 1) - 1)
    return -(-length // unit) * unit


@dataclass(frozen=True)
class Preamble:
    """Section 2."""

    exponent: int
    signed: bool
    slots: int
    public_length: int
    encrypted_length: int
    payload: int
    file_id: bytes
    commitment: bytes

    @property
    def chunk(self) -> int:
        return 1 << self.exponent

    @property
    def chunks(self) -> int:
        return chunk_count(self.payload, self.chunk)

    @property
    def header_length(self) -> int:
        return PREAMBLE.size + SLOT.size * self.slots + self.public_length + self.encrypted_length + 48

    @property
    def trailer_at(self) -> int:
        return self.header_length + self.payload + TAG * self.chunks

    @property
    def file_length(self) -> int:
        trailer = 32 * sum(level_sizes(self.chunks)) + SIGNATURE_BLOCK if self.signed else 0
        return self.trailer_at + trailer

    def encode(self) -> bytes:
        """The 128 bytes."""
        return PREAMBLE.pack(
            MAGIC, 1, 1, self.exponent, int(self.signed), self.header_length, self.slots, self.public_length,
            self.encrypted_length, 0, self.payload, bytes(24), self.file_id, self.commitment,
        )  # fmt: skip

    @classmethod
    def decode(cls, data: bytes, limits: Limits) -> Preamble:
        """Step 2 of section 7, in its order [S-27]."""
        if not data:
            raise SealError("emptyFile", "S-11", "The file is empty.")
        if not MAGIC.startswith(data[:8]):
            raise SealError("notSealedFile", "S-10", "The file does not begin as sealed files do.")
        if len(data) < PREAMBLE.size:
            raise SealError("truncated", "S-11", "The file ends within its preamble.")
        fields = PREAMBLE.unpack_from(data)
        _, version, suite, exponent, flags, length, slots, public, encrypted, zero, payload, zeros, *rest = fields
        if version == 0:
            raise SealError("draftVersion", "S-5", "The file is a draft, which is not read any more.")
        if version != 1:
            raise SealError("unsupportedVersion", "S-5", f"The file has version {version}.")
        if suite != 1:
            raise SealError("unsupportedSuite", "S-6", f"The file has suite {suite}.")
        if flags > 1:
            raise SealError("unsupportedFlags", "S-7", f"The file has flags {flags:#04x}.")
        if exponent not in EXPONENTS:
            raise malformed("S-8", f"The chunk size exponent is {exponent}.")
        if zero or any(zeros):
            raise malformed("S-4", "Reserved bytes of the preamble are not zero.")
        for name, number, low, high in (
            ("slots", slots, 1, 32),
            ("public_metadata", public, 0, MAXIMUM_METADATA),
            ("encrypted_metadata", encrypted, MINIMUM_ENCRYPTED, MAXIMUM_METADATA),
        ):
            if not low <= number <= high:
                raise malformed("S-8", f"{number} is no possible number for {name}.")
            limits.check(name, number)
        made = cls(exponent, flags == 1, slots, public, encrypted, payload, *rest)
        if length != made.header_length:
            raise malformed("S-3", f"The header's length is said to be {length}, and is {made.header_length}.")
        if payload > made.chunk << 32:
            raise malformed("S-8", f"No payload can have {payload} bytes.")
        limits.check("payload", payload)
        return made


@dataclass(frozen=True)
class Slot:
    """Section 4. `reserved` is the number at offset 2, `more_reserved` that at 12."""

    type: int
    version: int = 0
    reserved: int = 0
    first: int = 0
    second: int = 0
    more_reserved: int = 0
    hint: bytes = bytes(8)
    salt: bytes = bytes(32)
    commitment: bytes = bytes(32)
    nonce: bytes = bytes(24)
    wrapped: bytes = bytes(48)
    padding: bytes = bytes(32)

    @classmethod
    def decode(cls, data: bytes) -> Slot:
        return cls(*SLOT.unpack(data))

    def encode(self) -> bytes:
        """The 192 bytes."""
        return SLOT.pack(*dataclasses.astuple(self))

    @property
    def prefix(self) -> bytes:
        return self.encode()[:PREFIX]

    @property
    def known(self) -> bool:
        return self.type in (RAW, PASSPHRASE, RECIPIENT) and self.version == 0

    @property
    def sole(self) -> bool:
        return self.known and self.type == PASSPHRASE and bool(self.reserved & SOLE)

    @property
    def cost(self) -> Cost:
        return Cost(self.first, self.second)

    def check(self, mark: int = SOLE) -> None:
        """Checks the rules that need no key. `mark` is the bit that a passphrase slot may have at this place."""
        if self.type == 0:
            raise malformed("S-13", "A slot has type 0.")
        if not self.known:
            return
        zero = not self.more_reserved and not any(self.padding)
        if self.type == PASSPHRASE:
            if self.reserved & OF_KEY_FILE and mark == SOLE or self.reserved & SOLE and mark == OF_KEY_FILE:
                raise malformed("S-65", "A passphrase slot is that of another kind of file.")
            if not zero or self.reserved & ~mark or any(self.hint) or any(self.salt[16:]):
                raise malformed("S-17", "Reserved parts of a passphrase slot are not zero.")
            if self.first < 1 or self.second < 8:
                raise malformed("S-17", "A passphrase slot costs less than 1 pass and 8 KiB.")
            return
        zero = zero and not self.reserved and not self.first and not self.second
        if self.type == RAW and not (zero and not any(self.hint) and not any(self.salt)):
            raise malformed("S-16", "Reserved parts of a raw key's slot are not zero.")
        if self.type == RECIPIENT and not zero:
            raise malformed("S-21", "Reserved parts of an X25519 slot are not zero.")

    def commits_to(self, key: bytes, file_id: bytes) -> bool:
        """True when the slot was made with this key-encryption key [S-15]."""
        return same(self.commitment_of(key, file_id), self.commitment)

    def commitment_of(self, key: bytes, file_id: bytes) -> bytes:
        return blake2b(32, lp("keepsake.seal/slot-commitment") + self.prefix + file_id, key)

    def wrapping_key(self, key: bytes, file_id: bytes) -> bytes:
        return blake2b(32, lp("keepsake.seal/slot-wrap") + self.prefix + file_id, key)

    def unwrap(self, key: bytes, file_id: bytes) -> bytes | None:
        """The data key, or None if the slot was tampered with."""
        return open_bytes(self.wrapping_key(key, file_id), self.nonce, self.prefix + file_id, self.wrapped)

    def wrapping(self, data_key: bytes, key: bytes, file_id: bytes, nonce: bytes) -> Slot:
        """A copy of this slot with a wrapped data key."""
        return dataclasses.replace(
            self,
            commitment=self.commitment_of(key, file_id),
            nonce=nonce,
            wrapped=seal_bytes(self.wrapping_key(key, file_id), nonce, self.prefix + file_id, data_key),
        )


def check_slots(slots: list[Slot]) -> None:
    """Checks the rules of section 4 that need no key."""
    for slot in slots:
        slot.check()
    if sum(slot.known and slot.type == PASSPHRASE for slot in slots) > 4:
        raise malformed("S-17", "There are more than four passphrase slots.")
    if len(slots) > 1 and any(slot.sole for slot in slots):
        raise malformed("S-18", "A sole slot is not the only one.")


@dataclass(frozen=True)
class KeySchedule:
    """The keys of section 3."""

    fields: bytes
    commitment: bytes
    header: bytes
    metadata: bytes
    payload: bytes
    base_nonce: bytes
    signature: bytes

    @classmethod
    def derive(
        cls, data_key: bytes, context: bytes, exponent: int, signed: bool, file_id: bytes, public: bytes
    ) -> KeySchedule:
        fields = bytes([1, 1, exponent, int(signed)]) + file_id + lp(public)

        def derived(label: str, size: int = KEY, with_context: bool = True) -> bytes:
            tail = lp(context) if with_context else b""
            return blake2b(size, lp(f"keepsake.seal/{label}") + fields + tail, data_key)

        payload = derived("payload", KEY + NONCE)
        return cls(
            fields,
            derived("commitment"),
            derived("header-mac", with_context=False),
            derived("metadata"),
            payload[:KEY],
            payload[KEY:],
            derived("signature"),
        )

    def chunk_nonce(self, index: int, last: bool) -> bytes:
        counter = le64(index) + bytes([last]) + bytes(15)
        return bytes(a ^ b for a, b in zip(self.base_nonce, counter, strict=True))


@dataclass(frozen=True)
class Metadata:
    """The encrypted metadata (section 5)."""

    length: int
    generation: int
    creator: str

    def encode(self) -> bytes:
        raw = self.creator.encode()
        return le64(self.length) + le64(self.generation) + len(raw).to_bytes(4, "little") + raw

    @classmethod
    def decode(cls, message: bytes) -> Metadata:
        length, generation, creator = struct.unpack_from("<QQI", message)
        if creator > 1024 or creator != len(message) - 20:
            raise malformed("S-23", "The creator does not fill the encrypted metadata.")
        try:
            return cls(length, generation, message[20:].decode())
        except UnicodeDecodeError as error:
            raise malformed("S-23", "The creator is no UTF-8.") from error


@dataclass(frozen=True)
class Header:
    """The whole header, as it was read."""

    preamble: Preamble
    slots: list[Slot]
    public: bytes
    encrypted: bytes
    mac: bytes
    data: bytes

    @classmethod
    def decode(cls, preamble: Preamble, data: bytes) -> Header:
        """Step 4 of section 7."""
        if blake2b(16, data[:-16]) != data[-16:]:
            raise SealError("damagedHeader", "S-30", "The header was changed since it was written.")
        at = PREAMBLE.size + SLOT.size * preamble.slots
        slots = [Slot.decode(data[place : place + SLOT.size]) for place in range(PREAMBLE.size, at, SLOT.size)]
        check_slots(slots)
        middle = at + preamble.public_length
        return cls(preamble, slots, data[at:middle], data[middle:-48], data[-48:-16], data)

    def schedule(self, data_key: bytes, context: bytes) -> KeySchedule:
        p = self.preamble
        return KeySchedule.derive(data_key, context, p.exponent, p.signed, p.file_id, self.public)
