public import KeepsakeFiles

extension SealedFile {
  /// Seals the content of a file into another one, replacing any old file.
  ///
  /// All threads read, seal and write, in bounded memory. The file is read to its end, even if the system
  /// states another size, as it does for files in /proc and /sys.
  ///
  /// - Parameters:
  ///   - source: The path of a regular file, which stays unchanged; a link is not followed.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
  ///   - options: Chunk size, context and metadata.
  ///   - progress: Receives the progress, and can cancel.
  /// - Returns: The public part of the sealed file's header.
  /// - Throws: ``SealError``; `changedMeanwhile` when `source` changed while it was read, as far as its size and
  ///   times tell.
  @discardableResult
  public static func seal(
    contentsOf source: some FilePathConvertible, to path: some FilePathConvertible,
    for recipients: [SealRecipient],
    options: SealOptions = SealOptions(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    let (source, path) = (source.filePath, path.filePath)
    let (file, status) = try callingFiles { () throws(FileError) in
      try FileLocation(source).openRegularFile()
    }
    func requireUnchanged() throws(SealError) {
      let after = try callingSystem { () throws(SystemFailure) in try file.status() }
      guard after.isUnchanged(since: status), after.changed == status.changed else {
        throw SealError(.changedMeanwhile, path: source)
      }
    }
    do throws(SealError) {
      let hasStatedSize = try callingFiles { () throws(FileError) in
        try file.hasStatedSize(status.size, path: source)
      }
      guard hasStatedSize else {
        let writer = try SealedFileWriter(
          to: path, for: recipients, options: options, progress: progress)
        try writer.write(contentsOf: file, at: source)
        try requireUnchanged()
        return try writer.finish()
      }
      let length = Int(clamping: status.size)
      let new = try PendingSealedFile(
        at: path, as: SealPlan(recipients: recipients, options: options), plaintextLength: length)
      try new.payload.seal(
        contentsOf: file, into: new.file, threads: options.resolvedThreadCount,
        progress: ProgressReport(total: length, observer: progress))
      try requireUnchanged()
      return try new.finish()
    } catch {
      throw error.at(error.code == .changedMeanwhile ? source : path)
    }
  }
}

extension SealedFileWriter {
  /// Adds the content of a file up to its end.
  fileprivate func write(contentsOf file: FileDescriptor, at path: String) throws(SealError) {
    var offset: UInt64 = 0
    while true {
      let bytes = try callingFiles { () throws(FileError) in
        try file.readUp(to: ChunkBatches.byteCount, at: offset, path: path)
      }
      if bytes.isEmpty { return }
      try write(bytes.span)
      offset += UInt64(bytes.count)
    }
  }
}

extension SealedFile {
  /// Writes the plaintext durably into a file, replacing any old file.
  ///
  /// The file appears under its name only when every chunk has been verified. Until then it has no name, if
  /// the system has nameless files, so that no plaintext is left when the process dies. All threads read,
  /// open and write, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - mode: The permissions of the new file, whatever the process's mask is.
  ///   - progress: Receives the progress, and can cancel.
  /// - Throws: ``SealError``; `damagedChunk` with the path of the sealed file.
  public func extract(
    to path: some FilePathConvertible, mode: UInt32 = 0o600, progress: SealProgress.Observer? = nil
  ) throws(SealError) {
    let path = path.filePath
    let pending = try callingFiles { () throws(FileError) in
      try PendingFile(at: path, mode: mode, isNameless: true)
    }
    do throws(SealError) {
      try payload.open(
        source, into: pending.file, threads: policy.resolvedThreadCount,
        progress: ProgressReport(total: plaintextLength, observer: progress))
    } catch {
      throw error.at(error.systemCall == "pwrite" ? path : self.path)
    }
    try callingFiles { () throws(FileError) in try pending.replaceTarget() }
  }
}
