public import KeepsakeFiles

/// An error of sealing, opening, writing or reading.
///
/// A program decides by ``code``; ``description`` tells a person in one or two sentences what to do. Errors are compared
/// without ``underlyingError``.
public struct SealError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code

  /// The file or directory that caused the error; nil for data that is not in a file.
  public internal(set) var path: String?

  /// The index of the damaged chunk, counted from 0, when ``code`` is `damagedChunk`.
  public internal(set) var chunkIndex: Int?

  /// The index of the slot that caused the error, counted from 0, if any.
  public internal(set) var slotIndex: Int?

  /// The `errno` value of the system call that failed, if one did.
  public internal(set) var systemError: Int32?

  /// The name of the system call that failed, if one did.
  public internal(set) var systemCall: String?

  /// The error that a ``SealedFileSource`` threw, if this error reports one.
  public var underlyingError: (any Error)? { underlying.error }

  private let underlying: UnderlyingError

  /// Details of the failure, as part of a sentence; empty when ``code`` says everything.
  package var detail: String

  package init(
    _ code: Code, path: String? = nil, chunkIndex: Int? = nil, slotIndex: Int? = nil,
    systemError: Int32? = nil, systemCall: String? = nil, detail: String = "",
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.path = path
    self.chunkIndex = chunkIndex
    self.slotIndex = slotIndex
    self.systemError = systemError
    self.systemCall = systemCall
    self.detail = detail
    underlying = UnderlyingError(underlyingError)
  }

  /// The same error with the path `path`, unless it has a path already.
  func at(_ path: String?) -> SealError {
    var error = self
    error.path = error.path ?? path
    return error
  }
}

extension SealError {
  /// The kind of failure that an error reports: a code of KeepsakeFiles for a failure of a file, or one of this module.
  ///
  /// The list is open: a later version may add codes, so a `switch` needs a `default`.
  public typealias Code = FileError.Code
}

// MARK: - Arguments

extension SealError.Code {
  /// A raw key or secret key that does not have exactly 32 bytes.
  public static let invalidKeyLength = Self(rawValue: "invalidKeyLength")
  /// Sealing without a key, with more than 32 keys, with one key twice, or with more than 4 passphrases.
  ///
  /// A passphrase beside other keys has this code too, unless ``SealOptions/allowsMixedPassphrase`` is set.
  public static let invalidKeys = Self(rawValue: "invalidKeys")
  /// An empty passphrase, or one of more than 4096 bytes.
  public static let invalidPassphrase = Self(rawValue: "invalidPassphrase")
  /// A text or public key that is not an X25519 recipient.
  public static let invalidRecipient = Self(rawValue: "invalidRecipient")
  /// A text that is not an X25519 identity.
  public static let invalidIdentity = Self(rawValue: "invalidIdentity")
  /// Metadata, context or creator longer than a sealed file can hold.
  public static let invalidOptions = Self(rawValue: "invalidOptions")
  /// A text or public key that is not a signer.
  public static let invalidSigner = Self(rawValue: "invalidSigner")
  /// A text that is not a signing key.
  public static let invalidSigningKey = Self(rawValue: "invalidSigningKey")
  /// A signed file was to be sealed again without a signing key.
  public static let signingKeyAbsent = Self(rawValue: "signingKeyAbsent")
  /// A selection that matches no slot of the file.
  public static let noSuchSlot = Self(rawValue: "noSuchSlot")
  /// A change of slots, or a new seal, neither names nor drops the recipient of a slot;
  /// ``SealError/slotIndex`` is the slot.
  public static let missingRecipient = Self(rawValue: "missingRecipient")
  /// A range that is not within the plaintext.
  public static let invalidRange = Self(rawValue: "invalidRange")
  /// Bytes that are not a pin of a sealed file.
  public static let invalidPin = Self(rawValue: "invalidPin")
  /// A ``SealedFileWriter`` was used after it had finished.
  public static let alreadyFinished = Self(rawValue: "alreadyFinished")
  /// A progress observer stopped the operation.
  public static let cancelled = Self(rawValue: "cancelled")
}

// MARK: - Sealed files

extension SealError.Code {
  /// An empty file.
  public static let emptyFile = Self(rawValue: "emptyFile")
  /// A file that does not start with the bytes of a sealed file.
  public static let notSealedFile = Self(rawValue: "notSealedFile")
  /// A file that is shorter than its header says.
  public static let truncated = Self(rawValue: "truncated")
  /// A file that is longer than its header says.
  public static let trailingBytes = Self(rawValue: "trailingBytes")
  /// A file of version 0, a draft that was written before the format was final.
  public static let draftVersion = Self(rawValue: "draftVersion")
  /// A format version that this reader does not know.
  public static let unsupportedVersion = Self(rawValue: "unsupportedVersion")
  /// A cipher suite that this reader does not know.
  public static let unsupportedSuite = Self(rawValue: "unsupportedSuite")
  /// A flag that this reader does not know.
  public static let unsupportedFlags = Self(rawValue: "unsupportedFlags")
  /// A header that breaks a rule of the format.
  public static let malformedHeader = Self(rawValue: "malformedHeader")
  /// A header whose bytes were changed after it was written.
  public static let damagedHeader = Self(rawValue: "damagedHeader")
  /// A chunk of the payload whose bytes were changed after it was written.
  public static let damagedChunk = Self(rawValue: "damagedChunk")
  /// A file without a signature, although the caller requires one.
  public static let signatureAbsent = Self(rawValue: "signatureAbsent")
  /// A signature block, or digests that a signature covers, whose bytes were changed after they were written.
  public static let damagedSignature = Self(rawValue: "damagedSignature")
  /// A signature that was not made by the signer, or covers other data.
  public static let invalidSignature = Self(rawValue: "invalidSignature")
  /// A file whose signer the reader does not trust.
  public static let untrustedSigner = Self(rawValue: "untrustedSigner")
  /// None of the given keys opens the file; the same for every wrong key.
  public static let noMatchingKey = Self(rawValue: "noMatchingKey")
  /// The file is genuine, but older than the caller expected, or not the expected file.
  public static let staleFile = Self(rawValue: "staleFile")
  /// The key fits, but the file was sealed under another external context.
  public static let contextMismatch = Self(rawValue: "contextMismatch")
}

// MARK: - Key files

extension SealError.Code {
  /// There is no key file at the path.
  public static let keyFileAbsent = Self(rawValue: "keyFileAbsent")
  /// A key file whose length is wrong for its kind.
  public static let keyFileWrongLength = Self(rawValue: "keyFileWrongLength")
  /// A key file that users other than its owner can access.
  public static let keyFileOpenPermissions = Self(rawValue: "keyFileOpenPermissions")
  /// A key file that belongs to another user.
  public static let keyFileNotOwned = Self(rawValue: "keyFileNotOwned")
  /// A file of the right length whose first bytes are not those of a key file.
  public static let notKeyFile = Self(rawValue: "notKeyFile")
  /// A key file whose bytes were changed after it was written.
  public static let keyFileDamaged = Self(rawValue: "keyFileDamaged")
  /// The keychain of an Apple platform is locked, or the user has refused access to it.
  public static let keychainLocked = Self(rawValue: "keychainLocked")
  /// The keychain of an Apple platform cannot be used for another reason.
  public static let keychainFailed = Self(rawValue: "keychainFailed")
}

// MARK: - The source and the machine

extension SealError.Code {
  /// A ``SealedFileSource`` threw an error, or returned the wrong number of bytes.
  public static let sourceFailed = Self(rawValue: "sourceFailed")
  /// libsodium could not be initialised or refused a call.
  public static let cryptographyUnavailable = Self(rawValue: "cryptographyUnavailable")
}
