"""Opening a sealed file (Spec/seal.md, section 7)."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, overload

from .errors import SealError
from .header import (
    DEFAULT_LIMITS,
    PREAMBLE,
    SIGNATURE_BLOCK,
    Header,
    KeySchedule,
    Limits,
    Metadata,
    Preamble,
    malformed,
    padded_length,
)
from .keys import Key, Signer, as_keys, candidates
from .primitives import NONCE, TAG, blake2b, ed25519_verifies, is_signer, le64, lp, open_bytes, same
from .sources import BytesSource, FileSource, Source
from .tree import TrailerTree, chunk_digest, tree

PIN = struct.Struct("<32sQ32s32s")
NO_CONTENT = bytes(32)
CACHED = 8
"""The number of opened chunks that are kept."""


@dataclass(frozen=True)
class Pin:
    """A note of a file, to be kept where only its owner can write (section 7.3)."""

    file_id: bytes
    generation: int
    header: bytes
    content: bytes = NO_CONTENT

    @classmethod
    def decode(cls, data: bytes) -> Pin:
        if len(data) != PIN.size:
            raise SealError("invalidPin", "", f"A pin has {PIN.size} bytes, not {len(data)}.")
        return cls(*PIN.unpack(data))

    def encode(self) -> bytes:
        """The 104 bytes."""
        return PIN.pack(self.file_id, self.generation, self.header, self.content)

    @property
    def covers_content(self) -> bool:
        return self.content != NO_CONTENT

    def same_header(self, other: Pin) -> bool:
        return (self.file_id, self.generation, self.header) == (other.file_id, other.generation, other.header)


@dataclass(frozen=True)
class AtLeast:
    """The file's generation is not lower."""

    generation: int


@dataclass(frozen=True)
class NotBefore:
    """The file's generation is higher, or the file is the pinned one."""

    pin: Pin


@dataclass(frozen=True)
class Exactly:
    """The file is the pinned one."""

    pin: Pin


Expectation: TypeAlias = AtLeast | NotBefore | Exactly
SignaturePolicy: TypeAlias = Literal["any"] | Iterable[Signer] | None
"""None requires no signature, "any" requires one of any signer, a list requires one of these signers."""


@dataclass(frozen=True)
class Summary:
    """The parts of a file that can be read without a key; not to be trusted until a key has opened the file."""

    chunk: int
    signed: bool
    slots: list[str]
    payload: int
    file_id: bytes
    public_metadata: bytes

    @classmethod
    def of(cls, header: Header) -> Summary:
        p = header.preamble
        names = {1: "key", 2: "passphrase", 3: "recipient"}
        slots = [names[slot.type] if slot.known else f"unknown ({slot.type}.{slot.version})" for slot in header.slots]
        slots = ["sole passphrase" if slot.sole else name for slot, name in zip(header.slots, slots, strict=True)]
        return cls(p.chunk, p.signed, slots, p.payload, p.file_id, header.public)


def read_header(source: Source, limits: Limits, whole: bool = True) -> Header:
    """Steps 2 to 4; step 3 only if the file must be whole."""
    beginning = source.read(0, PREAMBLE.size)
    preamble = Preamble.decode(beginning, limits)
    if whole and source.length < preamble.file_length:
        raise SealError("truncated", "S-28", f"The file has {source.length} of {preamble.file_length} bytes.")
    if whole and source.length > preamble.file_length:
        raise SealError("trailingBytes", "S-29", f"The file has more than its {preamble.file_length} bytes.")
    rest = source.read(PREAMBLE.size, preamble.header_length - PREAMBLE.size)
    if len(rest) != preamble.header_length - PREAMBLE.size:
        raise SealError("truncated", "S-28", "The file ends within its header.")
    return Header.decode(preamble, beginning + rest)


def summary(path: str | Path | bytes, limits: Limits = DEFAULT_LIMITS) -> Summary:
    """The parts of a sealed file that can be read without a key."""
    return Summary.of(read_header(BytesSource(path) if isinstance(path, bytes) else FileSource(path), limits))


class SealedFile:
    """An open sealed file, whose chunks are read and verified on request."""

    def __init__(
        self,
        source: Source,
        keys: Key | bytes | Iterable[Key | bytes],
        context: bytes = b"",
        signature: SignaturePolicy = None,
        expecting: Expectation | None = None,
        limits: Limits = DEFAULT_LIMITS,
        damaged: bool = False,
    ) -> None:
        self._source = source
        self._limits = limits
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        self._tree: TrailerTree | None = None
        self._digests: list[bytes] | None = None
        self._content: bytes | None = None
        self.header = read_header(source, limits, whole=not damaged)
        self.preamble = self.header.preamble
        self.slot, self.key = -1, b""
        self._schedule = self._unlock(as_keys(keys), context)
        self._message, self._metadata = self._read_metadata()
        self.signer: Signer | None = None
        if signature is not None:
            self.signer = self._verify_signature(signature)
        self.freshness = "unverified" if expecting is None else self._check(expecting)

    # Facts about the file

    @property
    def length(self) -> int:
        """The length of the plaintext."""
        return self._metadata.length

    @property
    def generation(self) -> int:
        return self._metadata.generation

    @property
    def creator(self) -> str:
        return self._metadata.creator

    @property
    def public_metadata(self) -> bytes:
        return self.header.public

    @property
    def is_sole(self) -> bool:
        """True when the slot that opened the file is sole [S-19]."""
        return self.header.slots[self.slot].sole

    @property
    def summary(self) -> Summary:
        return Summary.of(self.header)

    def pin(self, content: bool = True) -> Pin:
        """A pin of this file; with the content, it reads all chunks, unless the signature was verified."""
        digest = self.content_digest() if content else NO_CONTENT
        return Pin(self.preamble.file_id, self.generation, blake2b(32, self.header.data), digest)

    def content_digest(self) -> bytes:
        """The content digest (section 6.1) of chunks that verify."""
        if self._tree is not None:
            return self._tree.content
        if self._content is None:
            self.verify()
            self._content = tree([chunk_digest(index, self._sealed(index)) for index in self._indices()])[1]
        return self._content

    # Steps 5 to 9

    def _unlock(self, keys: list[Key], context: bytes) -> KeySchedule:
        tampered = False
        for number, key in candidates(keys, self.header.slots, self.preamble.file_id, self._limits):
            data_key = self.header.slots[number].unwrap(key, self.preamble.file_id)
            if data_key is None:
                tampered = True
                continue
            self.slot = number
            schedule = self.header.schedule(data_key, context)
            if not same(blake2b(32, self.header.data[:-48], schedule.header), self.header.mac):
                raise SealError("damagedHeader", "S-33", "The header's MAC does not fit.")
            if not same(schedule.commitment, self.preamble.commitment):
                raise SealError("contextMismatch", "S-34", "The file was sealed for another context.")
            return schedule
        if tampered:
            raise SealError("damagedHeader", "S-32", "A slot that fits was tampered with.")
        raise SealError("noMatchingKey", "S-31", "No slot fits any of the keys.")

    def _read_metadata(self) -> tuple[bytes, Metadata]:
        raw = self.header.encrypted
        message = open_bytes(self._schedule.metadata, raw[:NONCE], b"", raw[NONCE:])
        if message is None:
            raise SealError("damagedHeader", "S-35", "The encrypted metadata does not verify.")
        metadata = Metadata.decode(message)
        if self.preamble.payload not in (metadata.length, padded_length(metadata.length)):
            raise malformed("S-24", "The payload is neither as long as the plaintext nor padded.")
        return message, metadata

    # Step 10

    def _open_signature_block(self) -> bytes:
        at = self.preamble.file_length - SIGNATURE_BLOCK
        block = self._source.read(at, SIGNATURE_BLOCK)
        if len(block) != SIGNATURE_BLOCK:
            raise SealError("truncated", "S-56", "The file ends before its signature.")
        content = open_bytes(self._schedule.signature, block[:NONCE], b"", block[NONCE:])
        if content is None:
            raise SealError("damagedSignature", "S-37", "The signature block does not verify.")
        return content

    def _verify_signature(self, policy: SignaturePolicy) -> Signer:
        if not self.preamble.signed:
            raise SealError("signatureAbsent", "S-36", "The file is not signed.")
        block = self._open_signature_block()
        content, public, signature = block[:32], block[32:64], block[64:]
        if not ed25519_verifies(public, signature, self._statement(content, public)) or not is_signer(public):
            raise SealError("invalidSignature", "S-38", "The signature is none of this file.")
        signer = Signer(public)
        if policy != "any" and signer not in list(policy or ()):
            raise SealError("untrustedSigner", "S-39", f"The file is signed by {signer}.")
        self._use_trailer(content)
        return signer

    def _statement(self, content: bytes, public: bytes) -> bytes:
        return statement(self._schedule, self.preamble, self._message, content, public)

    def _use_trailer(self, content: bytes) -> None:
        p = self.preamble
        self._tree = TrailerTree(p.chunks, p.trailer_at, content, self._source.read)

    # Step 11

    def _check(self, expected: Expectation) -> str:
        if isinstance(expected, AtLeast):
            if self.generation < expected.generation:
                raise self._stale(f"Generation {self.generation} is before {expected.generation}.")
            return "not older"
        pin = expected.pin
        if isinstance(expected, NotBefore) and self.generation > pin.generation:
            return "not older"
        if not self.pin(content=False).same_header(pin):
            raise self._stale("The file is not the one that was pinned.")
        if not pin.covers_content:
            return "same header"
        if self.preamble.signed:
            if not same(self._open_signature_block()[:32], pin.content):
                raise self._stale("The content is not the one that was pinned.")
            self._use_trailer(pin.content)
            return "exact"
        digests = [chunk_digest(index, self._sealed(index)) for index in self._indices()]
        self._content = tree(digests)[1]
        if not same(self._content, pin.content):
            for index in self._indices():
                self._open(index)
            raise self._stale("The content is not the one that was pinned.")
        self._digests = digests
        return "exact"

    def _stale(self, message: str) -> SealError:
        return SealError("staleFile", "S-40", message)

    # Step 12

    def _indices(self) -> range:
        return range(self.preamble.chunks)

    def _sealed(self, index: int) -> bytes:
        p = self.preamble
        whole = p.chunk + TAG
        at = p.header_length + index * whole
        return self._source.read(at, min(whole, p.trailer_at - at))

    def _open(self, index: int) -> bytes:
        """The payload in a chunk, verified [S-41]."""
        if index in self._cache:
            self._cache.move_to_end(index)
            return self._cache[index]
        sealed = self._sealed(index)
        expected = None
        if self._tree is not None:
            expected = self._tree.digest(0, index)
        elif self._digests is not None:
            expected = self._digests[index]
        if expected is not None and not same(chunk_digest(index, sealed), expected):
            raise SealError("damagedChunk", "S-42", "The digest of the chunk differs.", index)
        p = self.preamble
        nonce = self._schedule.chunk_nonce(index, index == p.chunks - 1)
        part = open_bytes(self._schedule.payload, nonce, b"", sealed)
        if part is None or len(part) != min(p.chunk, p.payload - index * p.chunk):
            raise SealError("damagedChunk", "S-41", "The chunk was changed since it was written.", index)
        if any(part[max(0, self.length - index * p.chunk) :]):
            raise SealError("damagedChunk", "S-25", "The padding is not zero.", index)
        self._cache[index] = part
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        return part

    def read(self, start: int = 0, end: int | None = None) -> bytes:
        """The plaintext from one offset up to another; an error unless all of its chunks verify [S-43]."""
        whole = start == 0 and end is None
        end = self.length if end is None else end
        if not 0 <= start <= end <= self.length:
            raise SealError("invalidRange", "S-49", f"{start} to {end} does not lie within {self.length} bytes.")
        self._limits.check("read", end - start, "S-48")
        if whole and end == 0:
            self._open(0)  # [S-51]
        if start == end:
            return b""
        chunk = self.preamble.chunk
        parts = [self._open(index) for index in range(start // chunk, (end - 1) // chunk + 1)]
        first = start // chunk * chunk
        return b"".join(parts)[start - first : end - first]

    def chunks(self) -> Iterator[bytes]:
        """The plaintext chunk by chunk, in bounded memory; each chunk is verified before it is returned."""
        for index in self._indices():
            start = index * self.preamble.chunk
            if start >= self.length and index > 0:
                return
            yield self._open(index)[: max(0, self.length - start)]

    def verify(self) -> None:
        """Opens every chunk, including those of padding."""
        for index in self._indices():
            self._open(index)

    def salvage(self) -> Iterator[tuple[int, int, bytes | None]]:
        """Every chunk that holds plaintext: its range, and its bytes or None if it is damaged [S-54]."""
        for index in self._indices():
            start = index * self.preamble.chunk
            end = min(start + self.preamble.chunk, self.length)
            if start < end:
                try:
                    yield start, end, self._open(index)[: end - start]
                except SealError as error:
                    if error.code not in ("damagedChunk", "damagedSignature"):
                        raise
                    yield start, end, None


def statement(schedule: KeySchedule, preamble: Preamble, message: bytes, content: bytes, public: bytes) -> bytes:
    """The statement that a signer signs (section 6.2)."""
    return (
        lp("keepsake.seal/signed-file")
        + schedule.fields
        + schedule.commitment
        + le64(preamble.payload)
        + lp(message)
        + content
        + public
    )


def open_sealed(
    file: str | Path | bytes,
    key: Key | bytes | Iterable[Key | bytes],
    *,
    context: bytes = b"",
    signature: SignaturePolicy = None,
    expecting: Expectation | None = None,
    limits: Limits = DEFAULT_LIMITS,
    damaged: bool = False,
) -> SealedFile:
    """Opens a sealed file by its path, or its bytes. `damaged` opens one of a wrong length, for `salvage`."""
    source = BytesSource(file) if isinstance(file, bytes) else FileSource(file)
    return SealedFile(source, key, context, signature, expecting, limits, damaged)


class Plaintext:
    """The plaintext of a sealed file for the reader of an archive, opened on request."""

    def __init__(self, file: SealedFile) -> None:
        self.file = file

    def __len__(self) -> int:
        return self.file.length

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> memoryview: ...
    def __getitem__(self, index: int | slice, /) -> int | memoryview:
        if isinstance(index, slice):
            start, stop, _ = index.indices(len(self))
            return memoryview(self.file.read(start, max(start, stop)))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.file.read(index % len(self), index % len(self) + 1)[0]
