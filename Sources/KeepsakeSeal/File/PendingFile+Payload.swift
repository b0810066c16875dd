extension PendingFile {
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
    try write(new.bytes.span, at: 0)
  }
}
