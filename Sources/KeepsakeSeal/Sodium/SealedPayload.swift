import KeepsakeFiles

/// The chunks of one file: their layout, and the cipher that seals and opens them.
struct SealedPayload: Sendable {
  let layout: ChunkLayout
  let cipher: ChunkCipher
  /// Collects the digests of the chunks while they are sealed; nil when they are not needed.
  var builder: DigestTreeBuilder?
  /// Verifies chunks when they are opened, in addition to their tags; nil when only the tags do.
  var tree: DigestTree?

  init(layout: ChunkLayout, payloadKey: SecretBytes) {
    self.layout = layout
    cipher = ChunkCipher(chunkSize: layout.chunkSize, payloadKey: payloadKey)
  }

  func batches(_ chunks: Range<Int>) -> ChunkBatches {
    ChunkBatches(chunks, chunkSize: layout.chunkSize)
  }

  /// The space for the longest batch, sealed and open.
  func scratch(_ batches: ChunkBatches) -> ScratchBuffer.Size {
    let longest = batches[0]
    return ScratchBuffer.Size(
      sealed: layout.sealedLength(of: longest),
      plaintext: layout.payloadRange(of: longest).count)
  }

  /// Seals a run of chunks; plaintext that is shorter than the run is padded with zeros.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let length = layout.payloadRange(of: chunks).count
    guard plaintext.count < length else {
      return try unsafe sealPadded(plaintext, chunks: chunks, into: output)
    }
    let scratch = ScratchBuffer(ScratchBuffer.Size(plaintext: length))
    let padded = unsafe scratch.plaintext(length)
    unsafe padded.copyMemory(from: plaintext)
    unsafe UnsafeMutableRawBufferPointer(rebasing: padded[plaintext.count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    try unsafe sealPadded(UnsafeRawBufferPointer(padded), chunks: chunks, into: output)
  }

  private func sealPadded(
    _ payload: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let digests = try unsafe cipher.seal(
      payload, first: chunks.lowerBound, isFinal: layout.isFinal(chunks),
      computesDigests: builder != nil, into: output)
    try builder?.add(digests, firstChunk: chunks.lowerBound)
  }

  /// Opens a run of chunks, given its sealed bytes, into `output`, which plaintext and padding fill.
  func open(
    _ sealed: UnsafeRawBufferPointer, chunks: Range<Int>, digests: ArraySlice<UInt8>?,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    try unsafe cipher.open(
      sealed, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), digests: digests,
      into: output)
    try unsafe requireZeroPadding(of: chunks, in: output)
  }

  /// Section 5.1: padding is zero, so that a payload has one encoding.
  private func requireZeroPadding(
    of chunks: Range<Int>, in output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let padding = layout.plaintextRange(of: chunks).count..<output.count
    guard let stray = unsafe output[padding].firstIndex(where: { $0 != 0 }) else { return }
    throw SealError(
      .damagedChunk, chunkIndex: chunks.lowerBound + stray / layout.chunkSize,
      detail: "its padding is not zero")
  }
}

extension SealedPayload {
  /// Seals all of `plaintext` on several threads into `output`, which its chunks fill.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    isNew: Bool, threads: Int, progress: ProgressReport
  ) throws(SealError) {
    nonisolated(unsafe) let source = unsafe plaintext
    nonisolated(unsafe) let target = unsafe output
    let batches = batches(layout.allChunks)
    try ParallelWork.forEach(
      0..<batches.count, threads: threads, scratch: ScratchBuffer.Size(), progress: progress
    ) { index, _ throws(SealError) in
      let chunks = batches[index]
      let part = layout.plaintextRange(of: chunks)
      let start = layout.sealedLength(of: 0..<chunks.lowerBound)
      let end = start + layout.sealedLength(of: chunks)
      let goal = unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<end])
      if isNew { unsafe NewPages.prepare(goal) }
      try unsafe seal(
        UnsafeRawBufferPointer(rebasing: source[part]), chunks: chunks, into: goal)
      return part.count
    }
  }

  /// Seals a whole file into memory: the header, all chunks of `plaintext`, and the trailer that `trailer`
  /// makes once they are sealed.
  func seal(
    _ plaintext: Span<UInt8>, after header: [UInt8], threads: Int, progress: ProgressReport,
    trailer: () throws(SealError) -> [UInt8] = { [] }
  ) throws(SealError) -> [UInt8] {
    let end = header.count + layout.sealedLength(of: layout.allChunks)
    return try unsafe plaintext.withUnsafeBytes { source throws(SealError) in
      try unsafe [UInt8].filled(end + layout.trailerLength) { output throws(SealError) in
        unsafe output.copyBytes(from: header)
        try unsafe seal(
          source, into: UnsafeMutableRawBufferPointer(rebasing: output[header.count..<end]),
          isNew: true, threads: threads, progress: progress)
        let trailer = try trailer()
        guard trailer.count == layout.trailerLength else {
          throw SealError(.cryptographyUnavailable)
        }
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[end...]).copyBytes(from: trailer)
      }
    }
  }

  /// Appends header and chunks to `output`, which has enough space.
  func seal(
    _ plaintext: Span<UInt8>, after header: [UInt8], into output: inout OutputSpan<UInt8>,
    threads: Int
  ) throws(SealError) {
    output.append(header)
    let length = layout.sealedLength(of: layout.allChunks)
    try unsafe plaintext.withUnsafeBytes { source throws(SealError) in
      nonisolated(unsafe) let source = unsafe source
      try unsafe output.withUnsafeMutableBufferPointer { buffer, count throws(SealError) in
        let room = UnsafeMutableRawBufferPointer(buffer)
        try unsafe seal(
          source, into: UnsafeMutableRawBufferPointer(rebasing: room[count..<count + length]),
          isNew: false, threads: threads, progress: .none)
        count += length
      }
    }
  }

  /// Seals all of `plaintext` on several threads into a file, each chunk at its offset.
  func seal(
    _ plaintext: Span<UInt8>, into file: FileDescriptor, threads: Int, progress: ProgressReport
  ) throws(SealError) {
    try unsafe plaintext.withUnsafeBytes { bytes throws(SealError) in
      nonisolated(unsafe) let source = unsafe bytes
      let batches = batches(layout.allChunks)
      try ParallelWork.forEach(
        0..<batches.count, threads: threads,
        scratch: ScratchBuffer.Size(sealed: scratch(batches).sealed), progress: progress
      ) { index, scratch throws(SealError) in
        let part = layout.plaintextRange(of: batches[index])
        try unsafe write(
          UnsafeRawBufferPointer(rebasing: source[part]), chunks: batches[index], to: file,
          scratch: scratch)
        return part.count
      }
    }
  }

  /// Seals a run of chunks at its offset in a file.
  func write(
    _ plaintext: UnsafeRawBufferPointer, chunks: Range<Int>, to file: FileDescriptor,
    scratch: ScratchBuffer
  ) throws(SealError) {
    let sealed = unsafe scratch.sealed(layout.sealedLength(of: chunks))
    try unsafe seal(plaintext, chunks: chunks, into: sealed)
    try callingSystem { () throws(SystemFailure) in
      try unsafe file.write(
        UnsafeRawBufferPointer(sealed), at: layout.offset(of: chunks.lowerBound))
    }
  }
}
