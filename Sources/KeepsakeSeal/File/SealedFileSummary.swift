import KeepsakeFiles

/// The public part of a sealed file's header, which anyone can read without a key.
///
/// For a file that was opened or written, all of it is verified. For a file that was only inspected, none of
/// it is: it may be forged.
public struct SealedFileSummary: Sendable, Equatable {
  /// The size of the sealed file, in bytes.
  public let fileSize: Int

  /// The version of the format.
  package let version: Int

  /// The number of the cipher suite; 1 is XChaCha20-Poly1305 with BLAKE2b.
  package let suite: Int

  /// The plaintext size of all chunks but the last, in bytes.
  public let chunkSize: Int

  /// The number of chunks, at least 1.
  public let chunkCount: Int

  /// The size of the plaintext and its padding, in bytes.
  ///
  /// Only opening the file reveals ``SealedFile/plaintextLength``.
  public let payloadLength: Int

  /// The size of the header, in bytes.
  package let headerLength: Int

  /// The type of each slot, in file order.
  public let slotTypes: [SealSlotType]

  /// 32 random bytes that are new with each seal.
  public let fileID: [UInt8]

  /// The public metadata that the writer stored.
  public let publicMetadata: [UInt8]

  /// True when the file has a signature; ``SealedFile/signer`` tells whether it is valid, and whose it is.
  public let isSigned: Bool

  /// The content digest (Spec/seal.md, section 6.1), if it is known: for a file that was just written, signed
  /// or with ``SealOptions/computesContentDigest``, and for a file that was opened with it.
  package let contentDigest: [UInt8]?

  /// A digest of the whole header; see ``SealedFilePin``.
  var headerDigest: [UInt8] {
    // libsodium works, or there would be no header.
    (try? Blake2b.hash(headerBytes)) ?? []
  }

  private let headerBytes: [UInt8]

  init(_ header: SealedHeader, contentDigest: [UInt8]? = nil) {
    let layout = ChunkLayout(header.preamble)
    fileSize = Int(clamping: layout.fileSize)
    version = Int(SealFormat.version)
    suite = Int(SealFormat.suite)
    chunkSize = layout.chunkSize
    chunkCount = layout.chunkCount
    payloadLength = layout.payloadLength
    headerLength = layout.headerLength
    isSigned = layout.isSigned
    self.contentDigest = contentDigest
    slotTypes = header.slots.map(\.type)
    fileID = header.preamble.fileID
    publicMetadata = header.publicMetadata
    headerBytes = header.bytes
  }

  /// Returns the range of the sealed file that a read of the plaintext needs, besides the digests of a signed
  /// file.
  ///
  /// - Parameter range: Offsets into the plaintext, up to ``payloadLength``.
  /// - Returns: Offsets into the sealed file: the chunks that hold `range`, with their tags.
  /// - Throws: ``SealError`` with `invalidRange`.
  package func ciphertextRange(
    forPlaintext range: Range<Int>
  ) throws(SealError) -> Range<Int> {
    let layout = ChunkLayout(
      headerLength: headerLength, chunkSize: chunkSize, payloadLength: payloadLength,
      plaintextLength: payloadLength)
    try layout.require(range)
    return layout.sealedRange(of: range)
  }
}

extension SealedSource {
  /// The regular file at a path; a link is not followed.
  init(path: String) throws(SealError) {
    let (file, status) = try callingFiles { () throws(FileError) in
      try FileLocation(path).openRegularFile()
    }
    self = .file(file, path: path, size: status.size)
  }

  /// Reads the header of a whole file, and checks the rules that need no key.
  func header(policy: SealPolicy) throws(SealError) -> SealedHeader {
    let preamble = try preamble(policy: policy)
    // Section 7, step 3: the size equation detects both truncation and appended bytes.
    let expected = ChunkLayout(preamble).fileSize
    guard size >= expected else {
      throw SealError(.truncated, detail: "\(size) of \(expected) bytes")
    }
    guard size == expected else {
      throw SealError(.trailingBytes, detail: "\(size) instead of \(expected) bytes")
    }
    return try header(after: preamble)
  }

  /// Reads the preamble and checks it against the limits of `policy`.
  func preamble(policy: SealPolicy) throws(SealError) -> Preamble {
    let length = Int(min(size, UInt64(SealFormat.preambleLength)))
    return try Preamble(parsing: try read(length, at: 0), policy: policy)
  }

  /// Reads the whole header, whatever the size of the file.
  func header(after preamble: Preamble) throws(SealError) -> SealedHeader {
    guard size >= UInt64(preamble.headerLength) else {
      throw SealError(.truncated, detail: "it ends within the header")
    }
    return try SealedHeader(
      parsing: try read(preamble.headerLength, at: 0), preamble: preamble)
  }
}
