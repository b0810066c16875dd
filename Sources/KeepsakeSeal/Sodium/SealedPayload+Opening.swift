extension SealedPayload {
  /// Opens `range` of the plaintext, on several threads, into `output`, which it fills.
  ///
  /// If several chunks are damaged, the error names the lowest one, whatever the order of the work. After an
  /// error, `output` is all zeros.
  func read(
    _ range: Range<Int>, from source: SealedSource, into output: UnsafeMutableRawBufferPointer,
    isNew: Bool, threads: Int, progress: ProgressReport
  ) throws(SealError) {
    // An empty payload has a chunk too, which shows that it is the last one.
    let chunks =
      layout.plaintextLength == 0 ? layout.plaintextChunks : layout.chunks(holding: range)
    guard !chunks.isEmpty else { return }
    nonisolated(unsafe) let target = unsafe output
    let batches = batches(chunks)
    do throws(SealError) {
      try ParallelWork.forEach(
        0..<batches.count, threads: threads, scratch: scratch(batches), progress: progress
      ) { index, scratch throws(SealError) in
        let wanted = layout.plaintextRange(of: batches[index]).clamped(to: range)
        let goal = unsafe UnsafeMutableRawBufferPointer(
          rebasing: target[
            wanted.lowerBound - range.lowerBound..<wanted.upperBound - range.lowerBound])
        if isNew { unsafe NewPages.prepare(goal) }
        try unsafe read(wanted, of: batches[index], from: source, scratch: scratch, into: goal)
        return wanted.count
      }
    } catch {
      for index in output.indices { unsafe output[index] = 0 }
      throw error
    }
  }

  /// Opens one batch: directly into the output when all of it is wanted, or through a buffer when the range
  /// starts or ends within it.
  private func read(
    _ wanted: Range<Int>, of chunks: Range<Int>, from source: SealedSource,
    scratch: ScratchBuffer, into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let part = layout.payloadRange(of: chunks)
    guard wanted != part else {
      return try unsafe open(chunks, from: source, scratch: scratch, into: output)
    }
    let plaintext = try unsafe open(chunks, from: source, scratch: scratch)
    unsafe output.copyMemory(
      from: UnsafeRawBufferPointer(
        rebasing: plaintext[
          wanted.lowerBound - part.lowerBound..<wanted.upperBound - part.lowerBound]))
  }

  /// Opens a run of chunks into `output`, which their plaintext and padding fill.
  func open(
    _ chunks: Range<Int>, from source: SealedSource, scratch: ScratchBuffer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let digests = try tree?.digests(of: chunks, from: source)
    try unsafe source.withBytes(
      layout.sealedLength(of: chunks), at: layout.offset(of: chunks.lowerBound), scratch: scratch
    ) { sealed throws(SealError) in
      try unsafe open(sealed, chunks: chunks, digests: digests, into: output)
    }
  }

  /// Opens a run of chunks in `scratch`; returns their plaintext, without padding.
  func open(
    _ chunks: Range<Int>, from source: SealedSource, scratch: ScratchBuffer
  ) throws(SealError) -> UnsafeRawBufferPointer {
    let output = unsafe scratch.plaintext(layout.payloadRange(of: chunks).count)
    try unsafe open(chunks, from: source, scratch: scratch, into: output)
    return unsafe UnsafeRawBufferPointer(
      rebasing: output[..<layout.plaintextRange(of: chunks).count])
  }

  /// Reads a part of the plaintext into a new array.
  func read(
    _ range: Range<Int>, from source: SealedSource, threads: Int, progress: ProgressReport = .none
  ) throws(SealError) -> [UInt8] {
    try unsafe [UInt8].filled(range.count) { output throws(SealError) in
      try unsafe read(
        range, from: source, into: output, isNew: true, threads: threads, progress: progress)
    }
  }

  /// Appends a part of the plaintext to `output`, which has enough space.
  func read(
    _ range: Range<Int>, from source: SealedSource, into output: inout OutputSpan<UInt8>,
    threads: Int
  ) throws(SealError) {
    try unsafe output.withUnsafeMutableBufferPointer { buffer, count throws(SealError) in
      let free = UnsafeMutableRawBufferPointer(buffer)
      try unsafe read(
        range, from: source,
        into: UnsafeMutableRawBufferPointer(rebasing: free[count..<count + range.count]),
        isNew: false, threads: threads, progress: .none)
      count += range.count
    }
  }
}
