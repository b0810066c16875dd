import CommandSupport
import Foundation
import Keepsake
import TerminalScreen

/// The place of a key that the user names.
enum KeySource: Equatable {
  case path(String)
  case descriptor(Int32)

  /// The place in a sentence.
  var name: String {
    switch self {
    case .path(let path): "\"\(path)\""
    case .descriptor(let number): "file descriptor \(number)"
    }
  }

  /// The path in an error of the library.
  private var path: String {
    switch self {
    case .path(let path): path
    case .descriptor(let number): "/dev/fd/\(number)"
    }
  }

  /// Refuses a descriptor that is not open, before the tool opens one of that number.
  func requireOpen() throws(Failure) {
    switch self {
    case .path(let path): try DescriptorPath.requireOpen(path)
    case .descriptor(let number): try PassphraseSource.requireOpen(number, "key")
    }
  }

  /// Reads the key; a link is followed, and a pipe is read to its end.
  func content(for purpose: KeyPurpose = .open) throws(Failure) -> KeyContent {
    do throws(SealError) {
      guard case .path(let path) = self else { return try content(nil) }
      return try content(
        try callingFiles { () throws(FileError) in
          try FileLocation(path).openFollowingLinks()
        })
    } catch {
      guard error.code == .fileAbsent else { throw Failure(unusableKey: error) }
      throw purpose.failure(forAbsentKeyAt: path)
    }
  }

  private func content(
    _ opened: (file: FileDescriptor, status: FileStatus)?
  ) throws(SealError) -> KeyContent {
    var descriptor = opened?.file.rawValue ?? -1
    if case .descriptor(let number) = self { descriptor = number }
    // One byte more than a key may have, so that a longer file is noticed.
    let limit = KeyContent.maximumLength + 1
    guard var bytes = HiddenLine.read(from: descriptor, upTo: limit) else {
      throw SealError(.sourceFailed, path: path)
    }
    defer { for index in bytes.indices { bytes[index] = 0 } }
    withExtendedLifetime(opened?.file) {}
    return try KeyContent(copying: bytes.span, of: opened?.status, path: path)
  }
}

/// The use of a key, which decides on the advice when there is no key at the path.
enum KeyPurpose {
  /// The key opens files that exist, so another key is of no use.
  case open
  /// The key is for files that are sealed now, so a new key will do.
  case seal

  /// The failure to find a key at a path.
  fileprivate func failure(forAbsentKeyAt path: String) -> Failure {
    switch self {
    case .open: Failure(unusableKey: SealError(.keyFileAbsent, path: path))
    case .seal:
      Failure(
        "There is no key at \"\(path)\". Check the path, or make one by \"keepsake keygen key \(path)\".",
        .keyUnavailable)
    }
  }
}

extension KeyContent.Kind {
  /// The name in a sentence; nil for a file that holds no key.
  var name: String? {
    switch self {
    case .key: "a key file"
    case .keyUnderPassphrase: "a key file under a passphrase"
    case .identities: "an identity"
    case .signingKey: "a signing key"
    case .recipients: "a recipient, which opens nothing"
    case .signers: "a signer, which opens nothing"
    case .age: "a key of age, which Keepsake does not use"
    case .unknown: nil
    }
  }
}
