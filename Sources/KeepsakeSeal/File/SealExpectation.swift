/// The version of a file that a caller expects when it opens the file.
public enum SealExpectation: Hashable, Sendable {
  /// Any version: an older file that was put back opens like the latest one.
  case nothing
  /// A file of this generation or a later one.
  case atLeast(generation: UInt64)
  /// The file of the pin, or one of a later generation.
  case notBefore(SealedFilePin)
  /// The file of the pin, with the same slots, and with the same content if the pin covers it.
  case exactly(SealedFilePin)

  private var pin: SealedFilePin? {
    switch self {
    case .nothing, .atLeast: nil
    case .notBefore(let pin), .exactly(let pin): pin
    }
  }

  /// Whether the check of a file with this pin needs the content digest.
  func needsContentDigest(of found: @autoclosure () -> SealedFilePin) -> Bool {
    guard let pin, pin.contentDigest != nil else { return false }
    return pin.hasHeader(of: found())
  }

  /// Refuses a file that is not the expected one (Spec/seal.md, section 7.3).
  func check(_ pin: @autoclosure () -> SealedFilePin) throws(SealError) -> SealFreshness {
    if case .nothing = self { return .unverified }
    let found = pin()
    switch self {
    case .nothing: return .unverified
    case .atLeast(let generation):
      guard found.generation >= generation else {
        throw SealError(
          .staleFile, detail: "generation \(found.generation), expected at least \(generation)")
      }
      return .notOlder
    case .notBefore(let last):
      guard found.generation >= last.generation else {
        throw SealError(
          .staleFile, detail: "generation \(found.generation), seen \(last.generation)")
      }
      guard found.generation == last.generation else { return .notOlder }
      return try require(
        last, found, "another file of generation \(found.generation) was seen")
    case .exactly(let expected):
      return try require(
        expected, found, "generation \(found.generation), expected \(expected.generation)")
    }
  }

  private func require(
    _ expected: SealedFilePin, _ found: SealedFilePin, _ detail: String
  ) throws(SealError) -> SealFreshness {
    guard found.hasHeader(of: expected) else { throw SealError(.staleFile, detail: detail) }
    guard let digest = expected.contentDigest else { return .sameHeader }
    guard found.contentDigest == digest else {
      throw SealError(.staleFile, detail: "the header is the one that was seen, the content is not")
    }
    return .exact
  }
}

/// How certain it is that an open file is the latest one that was written.
///
/// ``SealedFile/freshnessHoldsAgainstKeyHolders`` tells against which attackers this holds.
public enum SealFreshness: Hashable, Sendable {
  /// Unknown: the caller expected nothing, and an earlier version of the file looks the same.
  case unverified
  /// Not older than the version that the caller had seen, if the writer set the generations correctly.
  case notOlder
  /// The header is the one that the caller had seen, slots included; only a holder of a key of the file can
  /// have changed the content.
  case sameHeader
  /// The header and every chunk are those that the caller had seen; the signer is not checked.
  case exact
}

/// A record of the version of a file that was last seen.
///
/// Stored elsewhere, it reveals when an older file is put back (Spec/seal.md, section 7.3).
///
/// A sealed file alone cannot reveal this: every earlier version of it is as genuine as the latest. Store the
/// pin where an attacker who can write the file cannot write: in a keychain, on another machine, in a TPM. A
/// pin is not secret.
public struct SealedFilePin: Hashable, Sendable {
  /// The size of a pin in bytes.
  package static let byteCount = 104

  /// The random identifier of the file, new with each seal.
  public let fileID: [UInt8]

  /// The generation that the writer gave to this version.
  public let generation: UInt64

  /// A digest of the whole header, including the slots of all recipients.
  let headerDigest: [UInt8]

  /// The content digest, with which the pin covers every byte of the file; nil when the pin covers only the
  /// header.
  ///
  /// A holder of a key of the file can put other content under the same header (Spec/seal.md, section 7.3).
  package let contentDigest: [UInt8]?

  /// Makes the pin of a file that was just written.
  ///
  /// It covers the content if the file is signed, or was sealed with ``SealOptions/computesContentDigest``.
  ///
  /// - Parameters:
  ///   - summary: The result of the writing call; the summary of a file that was only inspected proves
  ///     nothing.
  ///   - generation: The ``SealOptions/generation`` of the file.
  public init(_ summary: SealedFileSummary, generation: UInt64) {
    fileID = summary.fileID
    headerDigest = summary.headerDigest
    contentDigest = summary.contentDigest
    self.generation = generation
  }

  /// A pin that also covers the content.
  init(_ pin: SealedFilePin, contentDigest: [UInt8]) {
    fileID = pin.fileID
    generation = pin.generation
    headerDigest = pin.headerDigest
    self.contentDigest = contentDigest
  }

  /// Makes the pin of a removed file.
  ///
  /// No file has its generation, so every earlier version is refused.
  package init(ofNoFileAt generation: UInt64) {
    fileID = [UInt8](repeating: 0, count: 32)
    headerDigest = fileID
    contentDigest = nil
    self.generation = generation
  }

  /// Reads a stored pin.
  ///
  /// - Parameter bytes: The value of ``bytes``.
  /// - Throws: ``SealError`` with `invalidPin` when the length is wrong.
  public init(bytes: [UInt8]) throws(SealError) {
    guard bytes.count == SealedFilePin.byteCount else {
      throw SealError(.invalidPin, detail: "it has \(bytes.count) bytes")
    }
    fileID = Array(bytes[..<32])
    generation = bytes.littleEndian(at: 32, as: UInt64.self)
    headerDigest = Array(bytes[40..<72])
    // No content has this digest.
    contentDigest = bytes.isZero(72..<104) ? nil : Array(bytes[72...])
  }

  /// The pin in 104 bytes, to be stored.
  public var bytes: [UInt8] {
    var bytes = fileID
    bytes.appendLittleEndian(generation)
    return bytes + headerDigest + (contentDigest ?? [UInt8](repeating: 0, count: 32))
  }

  /// Whether both pins are of the same header.
  func hasHeader(of other: SealedFilePin) -> Bool {
    fileID == other.fileID && generation == other.generation && headerDigest == other.headerDigest
  }
}
