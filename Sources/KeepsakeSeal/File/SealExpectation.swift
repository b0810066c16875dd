/// What a caller knows of the file from elsewhere when it opens it.
public enum SealExpectation: Hashable, Sendable {
  /// Nothing: an older file that was put back opens like the last one.
  case nothing
  /// At least a generation.
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

  /// Whether the content digest of a file with this pin decides.
  func needsContentDigest(of found: @autoclosure () -> SealedFilePin) -> Bool {
    guard let pin, pin.contentDigest != nil else { return false }
    return pin.hasHeader(of: found())
  }

  /// Refuses a file that is not as expected (Spec/seal.md, section 7.3).
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

/// How much is known of whether an open file is the last one that was written.
///
/// Against whom it holds is another question: see ``SealedFile/freshnessHoldsAgainstKeyHolders``.
public enum SealFreshness: Hashable, Sendable {
  /// Nothing: the caller expected nothing, and an earlier version of the file looks the same.
  case unverified
  /// It is not older than what the caller had seen, if the generation that its writer gave it is right.
  case notOlder
  /// It has the header that the caller had seen, slots and all; the content can only have been changed by
  /// somebody with a key of the file.
  case sameHeader
  /// Its header and every chunk are those that the caller had seen; who signed it is another question.
  case exact
}

/// A note of which file was last seen: whoever keeps it elsewhere can tell that an older one was put
/// back (Spec/seal.md, section 7.3).
///
/// A sealed file alone cannot tell: every earlier version of it is as genuine as the last. Keep the pin
/// where an attacker who can write the file cannot write: a keychain, another machine, a TPM. A pin is
/// no secret.
public struct SealedFilePin: Hashable, Sendable {
  /// How many bytes a pin has.
  public static let byteCount = 104

  /// The random identifier of the file, new with each seal.
  public let fileID: [UInt8]

  /// The number that the writer gave to the save.
  public let generation: UInt64

  /// A digest of the whole header, so also of who can open the file.
  public let headerDigest: [UInt8]

  /// The content digest, so that a pin tells every byte of the file; nil for a pin that only covers the header.
  ///
  /// Who has a key of a file can put other content under the same header (Spec/seal.md, section 7.3).
  public let contentDigest: [UInt8]?

  /// Makes the pin of a file that was just written; it covers the content if the file is signed, or was sealed with
  /// ``SealOptions/computesContentDigest``.
  ///
  /// - Parameters:
  ///   - summary: What the writing call returned; of a file that was only inspected it proves nothing.
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

  /// Makes the pin of a file that was removed: one of a generation that no file has, so that every
  /// earlier one is refused.
  package init(ofNoFileAt generation: UInt64) {
    fileID = [UInt8](repeating: 0, count: 32)
    headerDigest = fileID
    contentDigest = nil
    self.generation = generation
  }

  /// Reads a pin from where it was kept.
  ///
  /// - Parameter bytes: What ``bytes`` gave.
  /// - Throws: ``SealError`` with `invalidPin` when it has another length.
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

  /// The pin in 104 bytes, to be kept.
  public var bytes: [UInt8] {
    var bytes = fileID
    bytes.appendLittleEndian(generation)
    return bytes + headerDigest + (contentDigest ?? [UInt8](repeating: 0, count: 32))
  }

  /// Whether both are of one header.
  func hasHeader(of other: SealedFilePin) -> Bool {
    fileID == other.fileID && generation == other.generation && headerDigest == other.headerDigest
  }
}
