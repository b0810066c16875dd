import KeepsakeFiles

/// Seals a stream batch by batch, on other threads while the caller fills the next batch.
///
/// The number of buffers is fixed. A caller that finds none free first seals pending batches itself, and only
/// then waits. So it never depends on a thread that the system has not started.
final class SealPipeline: Sendable {
  /// One batch, full and waiting to be sealed.
  private struct Job {
    let buffer: Buffer
    let count: Int
    let firstChunk: Int
    let isFinal: Bool
  }

  /// A buffer that one thread at a time owns.
  struct Buffer: @unchecked Sendable {
    fileprivate let scratch: ScratchBuffer

    /// Copies as much of `bytes` as fits after the first `count` bytes; returns the number of bytes copied.
    func append(_ bytes: Span<UInt8>, at count: Int, capacity: Int) -> Int {
      let length = min(bytes.count, capacity - count)
      unsafe bytes.extracting(0..<length).withUnsafeBytes { source in
        let room = unsafe scratch.plaintext(capacity)
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count..<count + length])
          .copyMemory(from: source)
      }
      return length
    }
  }

  private struct State {
    var free: [Buffer] = []
    var created = 0
    var pending: [Job] = []
    var running = 0
    var helpers = 0
    var sealedByteCount = 0
    var failure: (chunk: Int, error: SealError)?
  }

  /// The plaintext size of a batch in bytes.
  let capacity: Int
  private let cipher: ChunkCipher
  private let builder: DigestTreeBuilder?
  private let headerLength: Int
  private let file: FileDescriptor
  private let helperLimit: Int
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state = Monitor(State())

  init(
    cipher: ChunkCipher, builder: DigestTreeBuilder?, headerLength: Int, file: FileDescriptor,
    threads: Int,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = WorkerThreads.start
  ) {
    self.startThread = startThread
    self.cipher = cipher
    self.builder = builder
    self.headerLength = headerLength
    self.file = file
    capacity = max(cipher.chunkSize, ChunkBatches.byteCount)
    helperLimit = threads - 1
  }

  /// The number of bytes that have been sealed.
  var sealedByteCount: Int { state.withLock { $0.sealedByteCount } }

  /// Takes a buffer to fill; while all are full, seals pending batches or waits.
  func takeBuffer() throws(SealError) -> Buffer {
    while true {
      try throwFailure()
      let found = state.withLock { state -> Buffer? in
        if let buffer = state.free.popLast() { return buffer }
        guard state.created < helperLimit + 2 else { return nil }
        state.created += 1
        return Buffer(scratch: ScratchBuffer(size))
      }
      if let found { return found }
      if let job = takeJob(isHelper: false) {
        seal(job)
      } else {
        state.wait { !$0.free.isEmpty || !$0.pending.isEmpty }
      }
    }
  }

  private var size: ScratchBuffer.Size {
    let chunks = capacity / cipher.chunkSize
    return ScratchBuffer.Size(
      sealed: capacity + chunks * XChaCha20Poly1305.tagLength, plaintext: capacity)
  }

  /// Submits a buffer with `count` bytes, which start with the chunk `firstChunk`.
  func submit(_ buffer: Buffer, count: Int, firstChunk: Int, isFinal: Bool) {
    let startsHelper = state.withLock { state in
      state.pending.append(
        Job(buffer: buffer, count: count, firstChunk: firstChunk, isFinal: isFinal))
      guard state.helpers < helperLimit else { return false }
      state.helpers += 1
      return true
    }
    guard startsHelper else { return }
    let isStarted = startThread {
      while let job = self.takeJob(isHelper: true) { self.seal(job) }
    }
    // Without a helper, the caller does the work when it has no buffer left.
    if !isStarted { state.withLock { $0.helpers -= 1 } }
  }

  /// Returns when all submitted batches are sealed and written.
  func finish() throws(SealError) {
    while let job = takeJob(isHelper: false) { seal(job) }
    state.wait { $0.running == 0 }
    try throwFailure()
  }

  private func takeJob(isHelper: Bool) -> Job? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        if isHelper { state.helpers -= 1 }
        return nil
      }
      state.running += 1
      return state.pending.removeFirst()
    }
  }

  private func seal(_ job: Job) {
    var failure: SealError?
    do throws(SealError) {
      let chunkCount = max(1, (job.count + cipher.chunkSize - 1) / cipher.chunkSize)
      let sealed = unsafe job.buffer.scratch.sealed(
        job.count + chunkCount * XChaCha20Poly1305.tagLength)
      let digests = try unsafe cipher.seal(
        UnsafeRawBufferPointer(job.buffer.scratch.plaintext(job.count)), first: job.firstChunk,
        isFinal: job.isFinal, computesDigests: builder != nil, into: sealed)
      try builder?.add(digests, firstChunk: job.firstChunk)
      let layout = ChunkLayout(
        headerLength: headerLength, chunkSize: cipher.chunkSize, payloadLength: 0,
        plaintextLength: 0)
      try callingSystem { () throws(SystemFailure) in
        try unsafe file.write(
          UnsafeRawBufferPointer(sealed), at: layout.offset(of: job.firstChunk))
      }
    } catch {
      failure = error
    }
    state.withLock { state in
      state.running -= 1
      state.free.append(job.buffer)
      state.sealedByteCount += job.count
      if let failure, job.firstChunk < state.failure?.chunk ?? .max {
        state.failure = (job.firstChunk, failure)
      }
    }
  }

  private func throwFailure() throws(SealError) {
    if let error = state.withLock({ $0.failure?.error }) { throw error }
  }
}
