extension PendingFile {
  /// Writes what comes after the chunks, makes the file durable and puts it in place of what was there.
  func complete(
    _ payload: SealedPayload, of plan: SealPlan, header: SealedHeader,
    expecting expected: FileStatus?
  ) throws(SealError) -> SealedFileSummary {
    let layout = payload.layout
    let completion = try plan.completion(
      of: payload.builder, header: header, plaintextLength: layout.plaintextLength)
    if let completion, layout.isSigned {
      try write(completion, at: layout.trailerOffset)
    }
    try replaceTarget(expecting: expected)
    return SealedFileSummary(header, contentDigest: completion?.tree.contentDigest)
  }

  /// Writes what is missing of a trailer.
  private func write(_ completion: SealCompletion, at offset: UInt64) throws(SealError) {
    let written = UInt64(completion.tree.writtenByteCount)
    if let spill = completion.tree.spill {
      let copied = try file.copy(written, of: spill, at: 0, to: offset) { _ in }
      guard copied == written else {
        throw SealError(.changedMeanwhile, detail: "its digests have become fewer")
      }
    }
    try write(completion.trailer.span, at: offset + written)
  }

  /// Writes `new` in place of `old`, and after it the sealed bytes of the payload as they are.
  ///
  /// When the two headers have one length, a file system that can share blocks shares them all, and
  /// the header is written over.
  func copyPayload(
    of source: FileDescriptor, from old: SealedHeader, to new: SealedHeader,
    progress: ProgressReport
  ) throws(SealError) {
    let layout = ChunkLayout(old.preamble)
    if old.bytes.count == new.bytes.count, file.clone(source) {
      guard
        try callingSystem({ () throws(SystemFailure) in try file.status().size })
          == layout.fileSize
      else { throw SealError(.changedMeanwhile) }
      try progress.tell(layout.payloadLength)
    } else {
      let count = layout.fileSize - UInt64(old.bytes.count)
      let copied = try file.copy(
        count, of: source, at: UInt64(old.bytes.count), to: UInt64(new.bytes.count)
      ) { done throws(SealError) in
        try progress.tell(min(Int(clamping: done), layout.payloadLength))
      }
      guard copied == count else {
        throw SealError(.truncated, detail: "it has become shorter")
      }
    }
    try write(new.bytes, at: 0)
  }
}

/// Where a second file is made for digests whose place is not known yet; it has no name, and nothing is left of
/// it.
struct SpillFile: Sendable {
  let directory: Directory
  let location: FileLocation

  func make() throws(SealError) -> FileDescriptor {
    if let file = try PendingFile.createNameless(in: directory, for: location) { return file }
    let (file, name) = try PendingFile.create(in: directory, for: location)
    try location.calling { () throws(SystemFailure) in try directory.remove(name) }
    return file
  }
}
