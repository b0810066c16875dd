// The same calls for arrays, which a caller has more often than a span, and which may be temporary.

extension SealedFile {
  /// Seals `plaintext` into the file at `path`, in place of what was there.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
  ///   - options: Chunk size, context and metadata.
  ///   - progress: What is told of the progress, and can cancel.
  /// - Returns: What anyone can read of the file.
  /// - Throws: ``SealError``, as the form that takes a span does.
  @discardableResult
  public static func seal(
    _ plaintext: [UInt8], to path: String, for recipients: [SealRecipient],
    options: SealOptions = SealOptions(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    try seal(plaintext.span, to: path, for: recipients, options: options, progress: progress)
  }

  /// Seals `plaintext` into bytes, for a store that is not a file system.
  ///
  /// - Parameters:
  ///   - plaintext: What to seal.
  ///   - recipients: Between 1 and 32 different recipients.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: A whole sealed file.
  /// - Throws: ``SealError``.
  public static func seal(
    _ plaintext: [UInt8], for recipients: [SealRecipient], options: SealOptions = SealOptions()
  ) throws(SealError) -> [UInt8] {
    try seal(plaintext.span, for: recipients, options: options)
  }
}

extension SealedFileWriter {
  /// Adds bytes to the plaintext.
  ///
  /// - Parameter bytes: The next bytes; as many as there are.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public func write(_ bytes: [UInt8]) throws(SealError) { try write(bytes.span) }
}

extension DurableFile {
  /// Writes a file in place of whatever regular file is at the path.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory.
  ///   - contents: All bytes of the new file.
  ///   - mode: The permissions of the new file, whatever the process's mask is.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public static func replace(
    at path: String, with contents: [UInt8], mode: UInt32 = 0o600
  ) throws(SealError) {
    try replace(at: path, with: contents.span, mode: mode)
  }

  /// Writes a file where there is nothing yet; of several callers at once, one succeeds.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory.
  ///   - contents: All bytes of the new file.
  ///   - mode: The permissions of the new file, whatever the process's mask is.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public static func createExclusively(
    at path: String, with contents: [UInt8], mode: UInt32 = 0o600
  ) throws(SealError) {
    try createExclusively(at: path, with: contents.span, mode: mode)
  }
}
