/// How a file is sealed.
public struct SealOptions: Sendable {
  /// How much plaintext one chunk holds; a range read touches whole chunks.
  public var chunkSize: ChunkSize

  /// What the file is sealed for, such as a bundle identifier; at most 64 KiB.
  ///
  /// It is not stored: whoever opens the file has to pass the same bytes.
  public var context: [UInt8]

  /// What anyone may read without a key, at most 64 KiB; empty by default.
  public var publicMetadata: [UInt8]

  /// A number that the caller raises with each save, to tell an older file from a newer one.
  public var generation: UInt64

  /// Who wrote the file, readable with a key only; at most 1024 bytes of UTF-8.
  public var creator: String

  /// Whether the size of the file may tell the length of the plaintext; by default it does.
  public var padding: Padding

  /// The longest payload to write, the plaintext and its padding, in bytes; 64 GiB by default, since readers
  /// refuse longer ones unless their ``SealPolicy/maximumPayloadLength`` is raised.
  public var maximumPayloadLength: Int

  /// What signs the file, so that readers can tell who wrote it; nil, the default, for no signature.
  public var signingKey: SealSigningKey?

  /// Whether the pin of a file that is not signed is to cover its content; false by default.
  ///
  /// The content digest takes about as long as sealing. That of a signed file is always known.
  public var computesContentDigest: Bool

  /// Whether a passphrase may stand beside other keys; false by default.
  ///
  /// A passphrase that people choose is the weakest of several keys. And who opens a file by a
  /// passphrase alone may believe that only somebody who knows it can have written the file, which
  /// holds only while there is no other key.
  public var allowsMixedPassphrase: Bool

  /// The most threads that a seal uses; nil, the default, for one on each core, up to 16.
  ///
  /// The bytes of the file do not depend on it.
  public var threadCount: Int?

  /// Creates options; each has a default.
  ///
  /// - Parameters:
  ///   - chunkSize: How much plaintext one chunk holds.
  ///   - context: What the file is sealed for; not stored.
  ///   - publicMetadata: What anyone may read without a key.
  ///   - generation: The number of this save.
  ///   - creator: Who writes the file.
  ///   - padding: Whether the size of the file may tell the length of the plaintext.
  ///   - maximumPayloadLength: The longest payload to write, in bytes.
  ///   - signingKey: What signs the file.
  ///   - computesContentDigest: Whether the pin of a file that is not signed is to cover the content.
  ///   - allowsMixedPassphrase: Whether a passphrase may stand beside other keys.
  ///   - threadCount: The most threads to use; nil for one on each core.
  public init(
    chunkSize: ChunkSize = .kibibytes64, context: [UInt8] = [], publicMetadata: [UInt8] = [],
    generation: UInt64 = 0, creator: String = "", padding: Padding = .none,
    maximumPayloadLength: Int = Int(clamping: Int64(64) << 30),
    signingKey: SealSigningKey? = nil, computesContentDigest: Bool = false,
    allowsMixedPassphrase: Bool = false, threadCount: Int? = nil
  ) {
    self.chunkSize = chunkSize
    self.context = context
    self.publicMetadata = publicMetadata
    self.generation = generation
    self.creator = creator
    self.padding = padding
    self.maximumPayloadLength = maximumPayloadLength
    self.signingKey = signingKey
    self.computesContentDigest = computesContentDigest
    self.allowsMixedPassphrase = allowsMixedPassphrase
    self.threadCount = threadCount
  }
}

extension SealOptions {
  /// The plaintext size of all chunks of a file but the last; the raw value is its power of two.
  public enum ChunkSize: UInt8, CaseIterable, Sendable {
    /// 4096 bytes: for many small reads.
    case kibibytes4 = 12
    /// 16,384 bytes.
    case kibibytes16 = 14
    /// 65,536 bytes: the default.
    case kibibytes64 = 16
    /// 262,144 bytes.
    case kibibytes256 = 18
    /// 1,048,576 bytes: for files that are always read as a whole.
    case mebibyte1 = 20

    /// The size in bytes.
    public var byteCount: Int { 1 << Int(rawValue) }
  }

  /// What hides the length of the plaintext (Spec/seal.md, section 5.1).
  public enum Padding: CaseIterable, Sendable {
    /// Nothing: the size of the file tells it to the byte.
    case none
    /// Zero bytes up to the next length of Padmé, at most 12 % more: the size tells little more than the
    /// order of magnitude.
    case padme

    /// How long the payload of a plaintext of that length is; never traps.
    func paddedLength(_ length: UInt64) -> UInt64 {
      guard self == .padme, length >= 2 else { return length }
      let exponent = UInt64.bitWidth - 1 - length.leadingZeroBitCount
      let zeroBits = exponent - (Int.bitWidth - 1 - exponent.leadingZeroBitCount) - 1
      let mask = (UInt64(1) << UInt64(zeroBits)) - 1
      let (sum, overflows) = length.addingReportingOverflow(mask)
      return overflows ? .max : sum & ~mask
    }
  }

  var resolvedThreadCount: Int { max(1, threadCount ?? ParallelWork.defaultThreadCount) }

  /// The caps of Spec/seal.md, sections 2 and 5, which a writer keeps to.
  func requireValid() throws(SealError) {
    guard publicMetadata.count <= SealFormat.maximumMetadataLength else {
      throw SealError(
        .invalidOptions, detail: "public metadata of \(publicMetadata.count) bytes, limit 65536")
    }
    guard context.count <= SealFormat.maximumContextLength else {
      throw SealError(
        .invalidOptions, detail: "context of \(context.count) bytes, limit 65536")
    }
    guard creator.utf8.count <= SealFormat.maximumCreatorLength else {
      throw SealError(
        .invalidOptions, detail: "creator of \(creator.utf8.count) bytes, limit 1024")
    }
  }
}
