public import KeepsakeFiles

extension SealedFile {
  /// Opens the sealed file at `path`: finds the matching key and verifies the header.
  ///
  /// The file stays open, so later reads see the file that was verified, even if it is replaced meanwhile.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file; a link is not followed.
  ///   - identities: The keys to try: raw keys first, then X25519 identities, then passphrases.
  ///   - context: The bytes that were passed as ``SealOptions/context``.
  ///   - expectation: The version that the caller expects; by default any, and then ``SealedFile/freshness``
  ///     is unverified.
  ///   - policy: The limits of the reader.
  /// - Returns: The open file; its content is read and verified on demand.
  /// - Throws: ``SealError``: `noMatchingKey` whenever no key fits; `damagedHeader`, `truncated` and others
  ///   when the file is not as it was sealed; `fileAbsent` when there is no file; `staleFile` when it is not
  ///   the expected one; `limitExceeded` before any passphrase is tried that could cost more than `policy`
  ///   allows.
  /// - Complexity: O(*s* · *k*) for *s* slots and *k* keys, independent of the file's size. A
  ///   passphrase takes the time of its ``PassphraseCost`` for each passphrase slot, of which there
  ///   are at most four.
  public static func open(
    _ path: some FilePathConvertible, with identities: [SealIdentity], context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFile {
    let path = path.filePath
    do throws(SealError) {
      let source = try SealedSource(path: path)
      return try SealedFile(
        source: source, path: path, identities: identities, context: context,
        expecting: expectation, policy: policy)
    } catch {
      throw error.at(path)
    }
  }

  /// Opens the bytes of a whole sealed file that did not come from a file system.
  ///
  /// The other parameters and the errors are those of ``open(_:with:context:expecting:policy:)``.
  public static func open(
    bytes: [UInt8], with identities: [SealIdentity], context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFile {
    try SealedFile(
      source: SealedSource(bytes: bytes), path: nil, identities: identities, context: context,
      expecting: expectation, policy: policy)
  }

  /// Opens a sealed file from a source of the app, such as remote storage, which is not trusted.
  ///
  /// The other parameters and the errors are those of ``open(_:with:context:expecting:policy:)``; `sourceFailed` when
  /// the source throws.
  public static func open(
    source: any SealedFileSource, with identities: [SealIdentity], context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFile {
    try SealedFile(
      source: SealedSource.custom(source), path: nil, identities: identities, context: context,
      expecting: expectation, policy: policy)
  }

  /// Returns what anyone can read of a sealed file without a key.
  ///
  /// Nothing of it is verified.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file; a link is not followed.
  ///   - policy: The limits of the reader.
  /// - Returns: The public part of the header.
  /// - Throws: ``SealError`` when the file is not a sealed file, or clearly not a whole one.
  public static func inspect(
    _ path: some FilePathConvertible, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFileSummary {
    let path = path.filePath
    do throws(SealError) {
      return try SealedFileSummary(SealedSource(path: path).header(policy: policy))
    } catch {
      throw error.at(path)
    }
  }

  /// Returns what anyone can read of the bytes of a whole sealed file without a key.
  ///
  /// Nothing of it is verified. Throws ``SealError`` when the bytes are not a sealed file, or clearly not a whole one.
  public static func inspect(
    bytes: [UInt8], policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFileSummary {
    try SealedFileSummary(SealedSource(bytes: bytes).header(policy: policy))
  }

  /// Returns what anyone can read of the sealed file of a source.
  package static func inspect(
    source: any SealedFileSource, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealedFileSummary {
    try SealedFileSummary(SealedSource.custom(source).header(policy: policy))
  }
}
