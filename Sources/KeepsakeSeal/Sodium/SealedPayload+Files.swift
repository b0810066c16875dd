import KeepsakeFiles

extension SealedPayload {
  /// Seals the content of a file into another one, on several threads, each chunk at its offset.
  func seal(
    contentsOf source: FileDescriptor, into file: FileDescriptor, threads: Int,
    progress: ProgressReport
  ) throws(SealError) {
    let batches = batches(layout.allChunks)
    try ParallelWork.forEach(
      0..<batches.count, threads: threads, scratch: scratch(batches), progress: progress
    ) { index, scratch throws(SealError) in
      let part = layout.plaintextRange(of: batches[index])
      let plaintext = unsafe scratch.plaintext(part.count)
      let received = try callingSystem { () throws(SystemFailure) in
        try unsafe source.read(into: plaintext, at: UInt64(part.lowerBound))
      }
      // The header states another length.
      guard received == part.count else { throw SealError(.changedMeanwhile) }
      try unsafe write(
        UnsafeRawBufferPointer(plaintext), chunks: batches[index], to: file, scratch: scratch)
      return part.count
    }
  }

  /// Opens the plaintext into a file, on several threads.
  func open(
    _ source: SealedSource, into file: FileDescriptor, threads: Int, progress: ProgressReport
  ) throws(SealError) {
    let batches = batches(layout.plaintextChunks)
    try ParallelWork.forEach(
      0..<batches.count, threads: threads, scratch: scratch(batches), progress: progress
    ) { index, scratch throws(SealError) in
      let part = layout.plaintextRange(of: batches[index])
      let plaintext = try unsafe open(batches[index], from: source, scratch: scratch)
      try callingSystem { () throws(SystemFailure) in
        try unsafe file.write(plaintext, at: UInt64(part.lowerBound))
      }
      return part.count
    }
  }

  /// Opens the plaintext and seals it again into a file, with the layout and key of `target`.
  ///
  /// A batch is a whole number of chunks of both layouts, since all chunk sizes are powers of two.
  func reseal(
    from source: SealedSource, as target: SealedPayload, into file: FileDescriptor, threads: Int,
    progress: ProgressReport
  ) throws(SealError) {
    let byteCount = max(ChunkBatches.byteCount, layout.chunkSize, target.layout.chunkSize)
    let batches = ChunkBatches(
      layout.plaintextChunks, chunkSize: layout.chunkSize, byteCount: byteCount)
    let targets = ChunkBatches(
      target.layout.allChunks, chunkSize: target.layout.chunkSize, byteCount: byteCount)
    var size = scratch(batches)
    size.sealed = max(size.sealed, target.scratch(targets).sealed)
    try ParallelWork.forEach(
      0..<targets.count, threads: threads, scratch: size, progress: progress
    ) { index, scratch throws(SealError) in
      // The last batches may consist of padding only.
      var plaintext = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      if index < batches.count {
        unsafe plaintext = try unsafe open(batches[index], from: source, scratch: scratch)
      }
      try unsafe target.write(plaintext, chunks: targets[index], to: file, scratch: scratch)
      return plaintext.count
    }
  }

  /// Computes the digest tree of all chunks; opens the chunks only if `verifiesChunks` is set.
  func computedTree(
    of source: SealedSource, threads: Int, verifiesChunks: Bool = false
  ) throws(SealError) -> DigestTree {
    let builder = DigestTreeBuilder(.kept)
    let batches = batches(layout.allChunks)
    var size = scratch(batches)
    if !verifiesChunks { size.plaintext = 0 }
    try ParallelWork.forEach(0..<batches.count, threads: threads, scratch: size) {
      index, scratch throws(SealError) in
      let chunks = batches[index]
      let digests = try unsafe source.withBytes(
        layout.sealedLength(of: chunks), at: layout.offset(of: chunks.lowerBound), scratch: scratch
      ) { sealed throws(SealError) in
        if verifiesChunks {
          let output = unsafe scratch.plaintext(layout.payloadRange(of: chunks).count)
          try unsafe open(sealed, chunks: chunks, digests: nil, into: output)
        }
        return try unsafe self.digests(of: sealed, chunks: chunks)
      }
      try builder.add(digests, firstChunk: chunks.lowerBound)
      return layout.payloadRange(of: chunks).count
    }
    let result = try builder.finish(chunkCount: layout.chunkCount)
    return DigestTree(
      contentDigest: result.contentDigest,
      leaves: Array(result.rest[..<(layout.chunkCount * ChunkDigest.length)]))
  }

  private func digests(
    of sealed: UnsafeRawBufferPointer, chunks: Range<Int>
  ) throws(SealError) -> [UInt8] {
    var digests: [UInt8] = []
    var start = 0
    for chunk in chunks {
      let end = start + layout.sealedLength(of: chunk..<chunk + 1)
      try unsafe ChunkDigest.append(
        UnsafeRawBufferPointer(rebasing: sealed[start..<end]), chunk: chunk, to: &digests)
      start = end
    }
    return digests
  }

  /// Verifies every chunk and discards its plaintext.
  func verify(_ source: SealedSource, threads: Int) throws(SealError) {
    let batches = batches(layout.allChunks)
    try ParallelWork.forEach(0..<batches.count, threads: threads, scratch: scratch(batches)) {
      index, scratch throws(SealError) in
      try unsafe open(batches[index], from: source, scratch: scratch).count
    }
  }
}
