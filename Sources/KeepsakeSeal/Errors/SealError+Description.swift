import KeepsakeFiles

extension SealError: CustomStringConvertible {
  /// The failure and its file, as a clause without its full stop.
  package var message: String {
    summary + FileError.findings(detail, systemError: systemError, systemCall: systemCall)
  }

  /// One or two full sentences: the failure, its file, and what to do next.
  public var description: String { message + ". " + advice }

  /// The file or the data, as the subject of a sentence.
  private var subject: String {
    path.map { "the file at \"\($0)\"" } ?? "the sealed data"
  }

  /// The path, which may be that of a directory or of a file that does not exist.
  private var place: String {
    path.map { "\"\($0)\"" } ?? "the given place"
  }

  private var summary: String {
    switch code {
    case .invalidKeyLength: "A key must have exactly 32 bytes"
    case .invalidKeys: "The given keys cannot be used for sealing \(place)"
    case .invalidPassphrase: "The passphrase cannot be used"
    case .invalidRecipient: "This is not an X25519 recipient"
    case .invalidIdentity: "This is not an X25519 identity"
    case .invalidSigner: "This is not a signer"
    case .invalidSigningKey: "This is not a signing key"
    case .signingKeyAbsent: "The signature of \(subject) would be lost"
    case .noSuchSlot: "There is no such slot in \(subject)"
    case .missingRecipient: "A slot of \(subject) is for a recipient who was not named"
    case .invalidOptions: "The given options cannot be used for sealing \(place)"
    case .invalidRange: "The range is not within the plaintext of \(subject)"
    case .invalidPin: "The pin cannot be read"
    case .staleFile: "Refused \(subject) because it is not the file that was expected"
    case .alreadyFinished: "The writer of \(subject) has finished"
    case .cancelled: "Stopped working on \(subject) because its caller cancelled"
    case .sourceFailed: "Cannot read \(subject) because its source failed"
    case .limitExceeded: "Refused \(subject) because it exceeds a limit"
    case .emptyFile: "Cannot open \(subject) because it is empty"
    case .notSealedFile: "Cannot open \(subject) because it is not a sealed file"
    case .truncated: "Cannot open \(subject) because its end is missing"
    case .trailingBytes: "Cannot open \(subject) because it has bytes after its end"
    case .draftVersion:
      "Cannot open \(subject) because it is a draft, written before the format was final"
    case .unsupportedVersion: "Cannot open \(subject) because its format version is unknown"
    case .unsupportedSuite: "Cannot open \(subject) because its cipher suite is unknown"
    case .unsupportedFlags: "Cannot open \(subject) because it uses a feature that is unknown"
    case .malformedHeader: "Cannot open \(subject) because its header breaks the format"
    case .damagedHeader: "Cannot open \(subject) because its header is damaged"
    case .damagedChunk:
      "Cannot read \(subject) because its chunk \(chunkIndex ?? 0) is damaged"
    case .signatureAbsent: "Refused \(subject) because it is not signed"
    case .damagedSignature: "Cannot read \(subject) because its signature is damaged"
    case .invalidSignature: "Refused \(subject) because its signature is not valid"
    case .untrustedSigner: "Refused \(subject) because its signer is not trusted"
    case .noMatchingKey: "Cannot open \(subject) because none of the given keys fits it"
    case .contextMismatch:
      "Cannot open \(subject) because it was sealed under another context"
    default: fileSummary
    }
  }

  private var fileSummary: String {
    switch code {
    case .keyFileAbsent: "There is no key file at \(place)"
    case .keyFileWrongLength: "The key file at \(place) has the wrong length"
    case .keyFileOpenPermissions:
      "The key file at \(place) can be accessed by other users than its owner"
    case .keyFileNotOwned: "The key file at \(place) belongs to another user"
    case .notKeyFile: "The file at \(place) is not a key file"
    case .keyFileDamaged: "The key file at \(place) is damaged"
    case .keychainLocked: "The keychain is locked"
    case .keychainFailed: "The keychain cannot be used"
    case .cryptographyUnavailable: "libsodium cannot be used"
    default: asFileError.summary
    }
  }
}

extension SealError {
  /// The next step for the user, as a sentence.
  private var advice: String {
    switch code {
    case .invalidKeyLength: "Pass a key of 32 bytes, or let SealKey.generate() make one."
    case .invalidKeys: "Pass between 1 and 32 different keys."
    case .invalidPassphrase: "Pass a passphrase of 1 to 4096 bytes."
    case .invalidRecipient: "Copy the whole recipient again; it begins with keepsake1."
    case .invalidIdentity:
      "Copy the whole identity again; it begins with KEEPSAKE-SECRET-KEY-1."
    case .invalidSigner: "Copy the whole signer again; it begins with keepsake-signer1."
    case .invalidSigningKey:
      "Copy the whole signing key again; it begins with KEEPSAKE-SIGNING-KEY-1."
    case .signingKeyAbsent: "Pass the signing key, or say that the signature is to be dropped."
    case .signatureAbsent, .invalidSignature:
      "Ask its writer for a signed file; another holder of a key may have forged this one."
    case .untrustedSigner: "Trust this signer if you know that the key is theirs."
    case .noSuchSlot: "Look up the slots with SealedFile.inspect, or leave the change out."
    case .missingRecipient: "Name its recipient, or say that the slot may stay or is to be dropped."
    case .invalidOptions: "Pass shorter metadata, context or creator."
    case .invalidRange: "Pass a range between 0 and plaintextLength."
    case .invalidPin: "Pass the 104 bytes of a pin, as they were kept."
    case .staleFile: "An older file was put in its place, or the pin is of another file."
    case .alreadyFinished: "Make a new writer for each file."
    case .cancelled: "Nothing has changed; start again when you want to."
    case .sourceFailed: "Look up the error of the source and try again."
    case .emptyFile, .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk, .damagedSignature:
      "Keep the file for inspection, and use a backup copy or start fresh."
    case .notSealedFile: "Check that the path is the one that was sealed to."
    case .draftVersion: "Open it with the version of this software that wrote it."
    case .unsupportedVersion, .unsupportedSuite, .unsupportedFlags:
      "Open it with a newer version of this software."
    case .noMatchingKey:
      "Use the key or the passphrase that it was sealed with; the file itself is left alone."
    case .contextMismatch: "Pass the same context as when it was sealed."
    default: fileAdvice
    }
  }

  private var fileAdvice: String {
    switch code {
    case .keyFileAbsent:
      "Put the key file back from a copy; without it, its files cannot be opened."
    case .keyFileWrongLength, .keyFileDamaged: "Put the key file back from an intact copy."
    case .keyFileOpenPermissions:
      "Close it with chmod 600 \(FileError.quoted(path)), unless others have read it."
    case .keyFileNotOwned: "Run as its owner, or let the owner hand it over with chown."
    case .notKeyFile: "Check the path; a key file begins with a mark of its own."
    case .keychainLocked: "Unlock the device or the keychain, then try again."
    case .keychainFailed: "Look up the keychain's status and try again."
    case .cryptographyUnavailable: "Check the installed libsodium; 1.0.18 or later is needed."
    default: asFileError.advice
    }
  }

  /// The file error with the same code, whose sentences this error uses.
  private var asFileError: FileError {
    FileError(code, path: path)
  }
}
