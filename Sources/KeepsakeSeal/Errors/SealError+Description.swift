extension SealError: CustomStringConvertible {
  /// A full sentence or two: what happened, to which file, and what to do next.
  public var description: String {
    let sentence = summary + (detail.isEmpty ? "" : " (\(detail))")
    let cause = systemError.map { number in
      let call = systemCall ?? "system call"
      return " [\(call): \(SealError.systemMessage(number))]"
    }
    return sentence + (cause ?? "") + ". " + advice
  }

  /// The file or the data, as the subject of a sentence.
  private var subject: String {
    path.map { "the file at \"\($0)\"" } ?? "the sealed data"
  }

  /// The place, where it need not be a file.
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
    case .noSuchSlot: "No slot of \(subject) is the one that was named"
    case .missingRecipient: "A slot of \(subject) is for nobody who was named"
    case .invalidOptions: "The given options cannot be used for sealing \(place)"
    case .invalidRange: "The range does not lie within the plaintext of \(subject)"
    case .invalidPin: "The pin cannot be read"
    case .staleFile: "Refused \(subject) because it is not the file that was expected"
    case .invalidPath: "The path \(place) cannot name a file"
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
    case .signatureAbsent: "Refused \(subject) because nobody has signed it"
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
    case .fileAbsent: "There is no file at \(place)"
    case .directoryAbsent: "The directory that should hold \(place) does not exist"
    case .alreadyExists: "There is something at \(place) already, and it is not replaced"
    case .changedMeanwhile: "Somebody else has changed \(place) in the meantime"
    case .notRegularFile: "What is at \(place) is not a regular file"
    case .notDirectory: "Part of the path \(place) is not a directory"
    case .keychainLocked: "The keychain is locked"
    case .keychainFailed: "The keychain cannot be used"
    case .fileLocked: "Somebody else, probably another process, holds the lock of \(place)"
    case .lockUnavailable: "The file system of \(place) has no locks"
    case .directoryNotOwned: "The directory at \(place) belongs to another user"
    case .directoryOpenPermissions:
      "The directory at \(place) can be written by other users than its owner"
    case .permissionDenied: "This user may not access \(place)"
    case .readOnlyFileSystem: "Nothing can be written at \(place): its file system is read-only"
    case .noSpace: "There is no space left to write \(place)"
    case .durabilityUnknown:
      "The change at \(place) is in place, but the system could not confirm that it is durable"
    case .insufficientMemory: "There is not enough memory to work with \(place)"
    case .cryptographyUnavailable: "libsodium cannot be used"
    default: "The system refused to work with \(place)"
    }
  }
}
