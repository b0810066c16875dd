/// The options of a seal.
public struct SealOptions: Sendable {
  /// The plaintext size of a chunk; a range read touches whole chunks.
  public var chunkSize: ChunkSize

  /// The purpose of the file, such as a bundle identifier; at most 64 KiB.
  ///
  /// It is not stored: a reader must pass the same bytes.
  public var context: [UInt8]

  /// Metadata that anyone can read without a key, at most 64 KiB; empty by default.
  public var publicMetadata: [UInt8]

  /// A number that the caller increases with each save, to tell an older file from a newer one.
  public var generation: UInt64

  /// The name of the writing program, readable with a key only; at most 1024 bytes of UTF-8.
  public var creator: String

  /// Hides the length of the plaintext from the size of the file; by default it is visible.
  public var padding: Padding

  /// The longest payload to write, plaintext and padding, in bytes; 64 GiB by default.
  ///
  /// Readers refuse longer ones unless their ``SealPolicy/maximumPayloadLength`` is raised.
  public var maximumPayloadLength: Int

  /// The key that signs the file, so that readers can verify its writer; nil, the default, for no signature.
  public var signingKey: SealSigningKey?

  /// True when the pin of an unsigned file is to cover its content; false by default.
  ///
  /// Computing the content digest takes about as long as sealing. For a signed file it is always computed.
  public var computesContentDigest: Bool

  /// True when the file may have a passphrase beside other keys; false by default.
  ///
  /// A passphrase that a person chose is the weakest of several keys. And a reader who opens a file with a
  /// passphrase may believe that its writer knows the passphrase, which is certain only while there is no
  /// other key.
  public var allowsMixedPassphrase: Bool

  /// The maximum number of threads that a seal uses; nil, the default, for one on each core, up to 16.
  ///
  /// The bytes of the file do not depend on this number.
  public var threadCount: Int?

  /// Creates options; each has a default.
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

  /// The padding that hides the length of the plaintext (Spec/seal.md, section 5.1).
  public enum Padding: CaseIterable, Sendable {
    /// No padding: the size of the file reveals the exact length.
    case none
    /// Zero bytes up to the next Padmé length, at most 12 % more: the size reveals little more than the order
    /// of magnitude.
    case padme

    /// The length of the payload for a plaintext of this length; never traps.
    package func paddedLength(_ length: UInt64) -> UInt64 {
      guard self == .padme, length >= 2 else { return length }
      let exponent = UInt64.bitWidth - 1 - length.leadingZeroBitCount
      let zeroBits = exponent - (Int.bitWidth - 1 - exponent.leadingZeroBitCount) - 1
      let mask = (UInt64(1) << UInt64(zeroBits)) - 1
      let (sum, overflows) = length.addingReportingOverflow(mask)
      return overflows ? .max : sum & ~mask
    }
  }

  var resolvedThreadCount: Int { max(1, threadCount ?? ParallelWork.defaultThreadCount) }

  /// Checks the writer's limits of Spec/seal.md, sections 2 and 5.
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
