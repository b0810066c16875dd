/// Seals plaintext into an encrypted file, and opens such files.
///
/// A sealed file keeps its content secret and whole: whoever has none of its keys learns its
/// length and its public metadata, and any change of it is found. The format is Spec/seal.md.
///
/// ```swift
/// let key = try KeyFile.create(at: "state.key")
/// try SealedFile.seal(bytes.span, to: "state.sealed", keys: [key])
/// let bytes = try SealedFile.open("state.sealed", keys: [key]).read()
/// ```
public enum SealedFile {
  /// Seals `plaintext` into the file at `path`, in place of what was there.
  ///
  /// When the call returns, the new file has reached stable storage, for its owner alone
  /// (mode 0600). When it throws anything but `durabilityUnknown`, the old file is unchanged and
  /// nothing is left beside it. Every seal uses a new data key.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: What anyone can read of the file.
  /// - Throws: ``SealError``.
  /// - Complexity: O(*n*) time on all cores, O(1) memory beside the plaintext.
  @discardableResult
  public static func seal(
    _ plaintext: Span<UInt8>, to path: String, for recipients: [SealRecipient],
    options: SealOptions = SealOptions()
  ) throws(SealError) -> SealedFileSummary {
    do throws(SealError) {
      let plan = try SealPlan(
        plaintextLength: plaintext.count, recipients: recipients, options: options)
      let pending = try PendingFile(at: path)
      try pending.write(plan.header.bytes.span, at: 0)
      let file = pending.file
      try plan.cipher.seal(plaintext) { chunks, offset throws(SealError) in
        try file.write(chunks.span, at: offset, path: path)
      }
      try pending.replaceTarget()
      return SealedFileSummary(plan.header)
    } catch {
      throw error.at(path)
    }
  }

  /// Seals `plaintext` with raw keys into the file at `path`, in place of what was there.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - keys: Between 1 and 32 different keys, each of which will open the file.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: What anyone can read of the file.
  /// - Throws: ``SealError``, as ``seal(_:to:for:options:)`` does.
  @discardableResult
  public static func seal(
    _ plaintext: Span<UInt8>, to path: String, keys: [SealKey],
    options: SealOptions = SealOptions()
  ) throws(SealError) -> SealedFileSummary {
    try seal(plaintext, to: path, for: keys.map { .key($0) }, options: options)
  }

  /// Seals `plaintext` into bytes, for a store that is not a file system.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - recipients: Between 1 and 32 different recipients.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: What ``seal(_:to:for:options:)`` would have written.
  /// - Throws: ``SealError``.
  public static func seal(
    _ plaintext: Span<UInt8>, for recipients: [SealRecipient],
    options: SealOptions = SealOptions()
  ) throws(SealError) -> [UInt8] {
    try SealPlan(plaintextLength: plaintext.count, recipients: recipients, options: options)
      .sealed(plaintext)
  }

  /// Seals `plaintext` with raw keys into bytes.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - keys: Between 1 and 32 different keys.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: What ``seal(_:to:keys:options:)`` would have written.
  /// - Throws: ``SealError``.
  public static func seal(
    _ plaintext: Span<UInt8>, keys: [SealKey], options: SealOptions = SealOptions()
  ) throws(SealError) -> [UInt8] {
    try seal(plaintext, for: keys.map { .key($0) }, options: options)
  }
}

extension SealPlan {
  /// The whole file in memory.
  func sealed(_ plaintext: Span<UInt8>) throws(SealError) -> [UInt8] {
    try cipher.seal(plaintext, after: header.bytes)
  }
}
