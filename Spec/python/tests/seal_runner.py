"""The outcome of a reader for a vector, in the form of the vectors."""

from __future__ import annotations

from typing import Any

from seal_cases import pattern, stated

from keepsake import sealed
from keepsake.sealed.keys import Key
from keepsake.sealed.primitives import blake2b
from keepsake.sealed.reader import Expectation, SignaturePolicy

LIMITS = {
    "slots": "slots",
    "publicMetadata": "public_metadata",
    "encryptedMetadata": "encrypted_metadata",
    "payload": "payload",
    "read": "read",
    "passphraseMemory": "passphrase_memory",
    "passphrasePasses": "passphrase_passes",
    "passphraseTotal": "passphrase_total",
}


def digest(data: bytes) -> str:
    """The digest that represents bytes."""
    return blake2b(32, data).hex()


def unstated(json: str | dict[str, int]) -> bytes:
    """The reverse of `stated`."""
    return bytes.fromhex(json) if isinstance(json, str) else pattern(json["pattern"])


def key_of(json: dict[str, str]) -> Key:
    ((kind, text),) = json.items()
    data = bytes.fromhex(text)
    kinds = {"key": sealed.RawKey, "passphrase": sealed.Passphrase, "identity": sealed.Identity}
    return kinds[kind](data)  # type: ignore[no-any-return]


def opened(data: bytes, how: dict[str, Any]) -> sealed.SealedFile:
    """The file, opened with the options of a vector."""
    expecting: Expectation | None = None
    if "atLeast" in how:
        expecting = sealed.AtLeast(int(how["atLeast"]))
    elif "notBefore" in how:
        expecting = sealed.NotBefore(sealed.Pin.decode(bytes.fromhex(how["notBefore"])))
    elif "exactly" in how:
        expecting = sealed.Exactly(sealed.Pin.decode(bytes.fromhex(how["exactly"])))
    signature: SignaturePolicy = None
    if "signature" in how:
        signers = how["signature"]
        signature = "any" if signers == "any" else [sealed.Signer(bytes.fromhex(signer)) for signer in signers]
    return sealed.open_sealed(
        data,
        [key_of(key) for key in how["keys"]],
        context=unstated(how.get("context", "")),
        signature=signature,
        expecting=expecting,
        limits=sealed.Limits(**{LIMITS[name]: limit for name, limit in how.get("limits", {}).items()}),
        damaged=how.get("salvage", False),
    )


def failure(error: sealed.SealError) -> dict[str, Any]:
    result: dict[str, Any] = {"error": error.code}
    if error.chunk is not None:
        result["chunk"] = error.chunk
    return result


def read(file: sealed.SealedFile, start: int, end: int) -> dict[str, Any]:
    try:
        return {"plaintext": digest(file.read(start, end))}
    except sealed.SealError as error:
        return failure(error)


def pin(file: sealed.SealedFile) -> str | None:
    """The pin with the content, or None if a chunk that has only padding is damaged."""
    try:
        return file.pin().encode().hex()
    except sealed.SealError:
        return None


def salvaged(file: sealed.SealedFile) -> dict[str, Any]:
    """The intact and the missing ranges, each as long as possible."""
    missing: list[list[int]] = []
    parts: list[bytes] = []
    for start, end, part in file.salvage():
        if part is not None:
            parts.append(part)
        elif missing and missing[-1][1] == start:
            missing[-1][1] = end
        else:
            missing.append([start, end])
    return {"missing": missing, "plaintext": digest(b"".join(parts))}


def facts(file: sealed.SealedFile) -> dict[str, Any]:
    """The facts that are known after opening."""
    return {
        "length": file.length,
        "generation": str(file.generation),
        "creator": file.creator,
        "publicMetadata": stated(file.public_metadata),
        "slot": file.slot,
        "sole": file.is_sole,
        "signer": file.signer.data.hex() if file.signer else None,
        "freshness": file.freshness,
    }


def run_sealed(
    data: bytes, how: dict[str, Any], reads: list[tuple[int, int]]
) -> tuple[dict[str, Any], sealed.SealError | None]:
    """The outcome of a reader, with the error if there is one."""
    found: dict[str, Any]
    try:
        file = opened(data, how)
    except sealed.SealError as error:
        return failure(error), error
    problem: sealed.SealError | None = None
    if how.get("salvage"):
        found = {"salvage": salvaged(file)}
    else:
        try:
            whole = digest(file.read())
            found = facts(file) | {"plaintext": whole, "pin": pin(file)}
        except sealed.SealError as error:
            found, problem = failure(error), error
    if reads:
        found["reads"] = [{"from": start, "to": end} | read(file, start, end) for start, end in reads]
    return found, problem


def run_text(data: bytes, kind: str, how: dict[str, Any]) -> dict[str, Any]:
    """The 32 bytes in a key file, an identity file or a text."""
    if kind == "key file":
        return {"bytes": sealed.decode_key_file(data).data.hex()}
    if kind == "passphrase key file":
        passphrase = sealed.Passphrase(bytes.fromhex(how["passphrase"]))
        return {"bytes": sealed.decode_passphrase_key_file(data, passphrase).data.hex()}
    if kind == "identity file":
        return {"bytes": sealed.decode_identity_file(data).data.hex()}
    if kind == "signing key file":
        return {"bytes": sealed.decode_signing_key_file(data).data.hex()}
    forms = {
        "recipient": sealed.Recipient,
        "identity": sealed.Identity,
        "signer": sealed.Signer,
        "signing key": sealed.SigningKey,
    }
    return {"bytes": forms[kind].from_text(data.decode("latin-1")).data.hex()}  # type: ignore[attr-defined]


def run(
    data: bytes, kind: str, how: dict[str, Any], reads: list[tuple[int, int]]
) -> tuple[dict[str, Any], sealed.SealError | None]:
    """The outcome of a reader for bytes of any kind."""
    if kind == "sealed file":
        return run_sealed(data, how, reads)
    try:
        return run_text(data, kind, how), None
    except sealed.SealError as error:
        return failure(error), error
