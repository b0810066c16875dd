"""Key files, identity files and durable files (Spec/seal.md, section 9, and Spec/replacement.md)."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from pathlib import Path

from .errors import SealError
from .header import DEFAULT_LIMITS, OF_KEY_FILE, PASSPHRASE, SLOT, Limits, Slot
from .keys import Identity, Passphrase, RawKey, SigningKey, check_cost, passphrase_slot
from .primitives import argon2id, blake2b, same

KEY_FILE = b"\x89KSK\r\n\x1a\n"
PASSPHRASE_KEY_FILE = b"\x89KSP\r\n\x1a\n"
KEY_FILE_LENGTH = 48
PASSPHRASE_KEY_FILE_LENGTH = 248
MAXIMUM_TEXT = 4096
BLANKS = b" \t\r"
PATIENCE = 10.0


def read_private(path: str | Path, maximum: int) -> bytes:
    """Reads a file that only its owner may read, up to one byte more than `maximum` [S-57]."""
    try:
        status = os.lstat(path)
    except FileNotFoundError as error:
        raise SealError("keyFileAbsent", "S-57", f"There is no file {path}.") from error
    if not stat.S_ISREG(status.st_mode):
        raise SealError("notRegularFile", "S-57", f"{path} is no regular file.")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise SealError("notRegularFile", "S-57", f"{path} is no regular file.")
        if status.st_uid != os.geteuid():
            raise SealError("keyFileNotOwned", "S-57", f"{path} is another user's.")
        if status.st_mode & 0o077:
            raise SealError("keyFileOpenPermissions", "S-57", f"Others than its owner may use {path}.")
        return file.read(maximum + 1)


# Key files


def decode_key_file(data: bytes) -> RawKey:
    """Section 9."""
    check_form(data, KEY_FILE, KEY_FILE_LENGTH, "S-57")
    if not same(blake2b(32, data[:40])[:8], data[40:]):
        raise SealError("keyFileDamaged", "S-57", "The key file was changed since it was written.")
    return RawKey(data[8:40])


def encode_key_file(key: RawKey) -> bytes:
    """The 48 bytes."""
    data = KEY_FILE + key.data
    return data + blake2b(32, data)[:8]


def check_form(data: bytes, magic: bytes, length: int, rule: str) -> None:
    if len(data) != length:
        raise SealError("keyFileWrongLength", rule, f"Such a file has {length} bytes.")
    if data[:8] != magic:
        raise SealError("notKeyFile", rule, "The file does not begin as such files do.")


def decode_passphrase_key_file(data: bytes, passphrase: Passphrase, limits: Limits = DEFAULT_LIMITS) -> RawKey:
    """Section 9.4 [S-66]."""
    check_form(data, PASSPHRASE_KEY_FILE, PASSPHRASE_KEY_FILE_LENGTH, "S-66")
    if not same(blake2b(32, data[:-16])[:16], data[-16:]):
        raise SealError("keyFileDamaged", "S-66", "The key file was changed since it was written.")
    file_id, slot = data[8:40], Slot.decode(data[40 : 40 + SLOT.size])
    if not slot.known or slot.type != PASSPHRASE:
        raise SealError("keyFileDamaged", "S-66", "The slot is not that of a passphrase.")
    if not slot.reserved & OF_KEY_FILE:
        raise SealError("keyFileDamaged", "S-65", "The slot is not that of a key file.")
    try:
        slot.check(OF_KEY_FILE)
    except SealError as error:
        raise SealError("keyFileDamaged", "S-66", error.message) from error
    check_cost([slot], 1, limits)
    key = argon2id(passphrase.data, slot.salt[:16], slot.cost)
    if not slot.commits_to(key, file_id):
        raise SealError("noMatchingKey", "S-66", "The passphrase is not that of the key file.")
    raw = slot.unwrap(key, file_id)
    if raw is None:
        raise SealError("keyFileDamaged", "S-66", "The slot was tampered with.")
    return RawKey(raw)


def encode_passphrase_key_file(
    key: RawKey, passphrase: Passphrase, file_id: bytes | None = None, nonce: bytes | None = None,
    salt: bytes | None = None,
) -> bytes:  # fmt: skip
    """The 248 bytes; values that are not given are random."""
    file_id = file_id or os.urandom(32)
    slot = passphrase_slot(passphrase, key.data, file_id, nonce or os.urandom(24), salt or os.urandom(16), OF_KEY_FILE)
    data = PASSPHRASE_KEY_FILE + file_id + slot.encode()
    return data + blake2b(32, data)[:16]


def read_key_file(path: str | Path, passphrase: Passphrase | None = None, limits: Limits = DEFAULT_LIMITS) -> RawKey:
    """The key of a key file, or of a passphrase key file if a passphrase is given."""
    if passphrase is None:
        return decode_key_file(read_private(path, KEY_FILE_LENGTH))
    return decode_passphrase_key_file(read_private(path, PASSPHRASE_KEY_FILE_LENGTH), passphrase, limits)


# Identity files


def text_line(data: bytes, code: str) -> str:
    """The one line of an identity file that counts (section 9.2)."""
    if not 1 <= len(data) <= MAXIMUM_TEXT:
        raise SealError(code, "S-64", "Such a file has 1 to 4096 bytes.")
    lines = [line.strip(BLANKS) for line in data.split(b"\n")]
    counting = [line for line in lines if line and not line.startswith(b"#")]
    if len(counting) != 1:
        raise SealError(code, "S-63", f"The file has {len(counting)} lines that count, not one.")
    return counting[0].decode("latin-1")


def decode_identity_file(data: bytes) -> Identity:
    """Section 9.2."""
    return Identity.from_text(text_line(data, "invalidIdentity"))


def decode_signing_key_file(data: bytes) -> SigningKey:
    """The same for a signing key."""
    return SigningKey.from_text(text_line(data, "invalidSigningKey"))


def encode_identity_file(identity: Identity) -> bytes:
    """As writers write it."""
    return f"# recipient: {identity.recipient}\n{identity.text()}\n".encode()


def encode_signing_key_file(key: SigningKey) -> bytes:
    """As writers write it."""
    return f"# signer: {key.signer}\n{key.text()}\n".encode()


def read_identity_file(path: str | Path) -> Identity:
    return decode_identity_file(read_private(path, MAXIMUM_TEXT))


def read_signing_key_file(path: str | Path) -> SigningKey:
    return decode_signing_key_file(read_private(path, MAXIMUM_TEXT))


# Durable files


def write_durably(path: str | Path, data: bytes, replacing: bool = True) -> None:
    """Saves as in sections 1 and 6 of replacement.md: the new file survives a power cut, or the old one is unchanged.

    Stale temporary files of other writers are not removed (section 2)."""
    path = Path(path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    name, temporary, file = path.name, f".{os.urandom(8).hex()}.sealtmp", -1
    try:
        refuse_other(name, directory)
        file = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=directory)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.fchmod(file, 0o600)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
            os.close(os.dup(file))
            if replacing:
                save(temporary, name, directory)
            else:
                take_name(temporary, name, directory)
        except BaseException:
            os.unlink(temporary, dir_fd=directory)
            raise
        try:
            os.fsync(directory)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EROFS, errno.ENOTSUP):
                raise SealError("durabilityUnknown", "S-114", "A power cut may still undo the new file.") from error
    finally:
        if file >= 0:
            os.close(file)
        os.close(directory)


def refuse_other(name: str, directory: int) -> os.stat_result | None:
    """The status of the regular file with this name, or None without a file; refuses anything else."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise SealError("notRegularFile", "S-26", f"{name} is no regular file.")
    return status


def take_name(temporary: str, name: str, directory: int) -> None:
    """Gives a file a name that is not in use."""
    os.link(temporary, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    os.unlink(temporary, dir_fd=directory)


def save(temporary: str, name: str, directory: int) -> None:
    """Gives a file its name while this process holds the lock of the replaced file (replacement.md, section 6)."""

    def rename() -> None:
        os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)

    deadline = time.monotonic() + PATIENCE
    while True:
        before = refuse_other(name, directory)
        if before is None:
            with contextlib.suppress(FileExistsError):
                take_name(temporary, name, directory)
                return
            continue
        try:
            held = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        except FileNotFoundError:
            continue
        except PermissionError:
            rename()
            return
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            now, mine = refuse_other(name, directory), os.fstat(held)
            if now is not None and (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino):
                rename()
                return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise SealError("fileLocked", "", f"Another process keeps {name} locked.") from None
            time.sleep(0.01)
        finally:
            os.close(held)
