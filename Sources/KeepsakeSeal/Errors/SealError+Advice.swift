extension SealError {
  /// What to do next, as a sentence.
  var advice: String {
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
      "Ask its writer for a signed file; somebody with a key of the file may have forged this one."
    case .untrustedSigner: "Trust this signer if you know that the key is theirs."
    case .noSuchSlot: "Look up the slots with SealedFile.inspect, or leave the change out."
    case .missingRecipient: "Name its recipient, or say that the slot may stay or is to be dropped."
    case .invalidOptions: "Pass shorter metadata, context or creator."
    case .invalidRange: "Pass a range between 0 and plaintextLength."
    case .invalidPin: "Pass the 104 bytes of a pin, as they were kept."
    case .staleFile: "An older file was put in its place, or the note is of another file."
    case .invalidPath: "Pass the path of a file: not empty, and ending with a name."
    case .alreadyFinished: "Make a new writer for each file."
    case .cancelled: "What was there before is unchanged; start again when you want to."
    case .sourceFailed: "See what the source says, and try again."
    case .limitExceeded: "If the file is trusted, raise that option and try again."
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
      "Put the key file back from a copy; without it what it sealed cannot be opened."
    case .keyFileWrongLength, .keyFileDamaged: "Put the key file back from an intact copy."
    case .keyFileOpenPermissions:
      "Close it with chmod 600 \(quotedPath), unless others have read it."
    case .keyFileNotOwned: "Run as its owner, or let the owner hand it over with chown."
    case .notKeyFile: "Check the path; a key file begins with a mark of its own."
    case .fileAbsent: "Check the path."
    case .directoryAbsent: "Create the directory first, or check the path."
    case .alreadyExists: "Move it away first, or use another path."
    case .changedMeanwhile: "Look at the new file, and start again."
    case .notRegularFile: "Use the path of a regular file; links and devices are never followed."
    case .notDirectory: "Check each part of the path."
    case .keychainLocked: "Unlock the device or the keychain, then try again."
    case .keychainFailed: "Look up the keychain's status and try again."
    case .fileLocked: "Let the other process end, then try again."
    case .lockUnavailable:
      "Use a place on a file system that has them, or allow their absence where no second process works."
    case .directoryNotOwned:
      "Use a directory of your own, or let its owner hand it over with chown."
    case .directoryOpenPermissions:
      "Close it with chmod go-w \(quotedPath), unless others have changed what is in it."
    case .permissionDenied: "Change the permissions of the file or of its directory."
    case .readOnlyFileSystem: "Use a place on a file system that can be written."
    case .noSpace: "Free some space and try again; what was there before is unchanged."
    case .durabilityUnknown: "Write again once the storage works."
    case .insufficientMemory: "Free some memory and try again."
    case .cryptographyUnavailable: "Check the installed libsodium; 1.0.18 or later is needed."
    default: "Look up the error of the system and try again."
    }
  }

  private var quotedPath: String {
    "'"
      + (path ?? "").split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
