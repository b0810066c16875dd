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
