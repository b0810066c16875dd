import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `Sealing a stream` {
  private let key: SealKey

  init() throws { key = try .generate() }

  private func withPath(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try body(directory + "/f")
    }
  }

  /// Writes `plaintext` in pieces of the given sizes, repeatedly.
  private func write(
    _ plaintext: [UInt8], pieces: [Int], to path: String, options: SealOptions = SealOptions()
  ) throws -> SealedFileSummary {
    let writer = try SealedFileWriter(to: path, for: [.key(key)], options: options)
    var (start, index) = (0, 0)
    while start < plaintext.count {
      let end = min(start + pieces[index % pieces.count], plaintext.count)
      try writer.write(plaintext.span.extracting(start..<end))
      (start, index) = (end, index + 1)
    }
    #expect(writer.byteCount == plaintext.count)
    return try writer.finish()
  }

  @Test(arguments: SealOptions.ChunkSize.allCases)
  func `Every size around chunks and buffers survives a round trip`(
    chunkSize: SealOptions.ChunkSize
  ) throws {
    let size = chunkSize.byteCount
    let buffer = max(size, ChunkBatches.byteCount)
    for count in [0, 1, size - 1, size, size + 1, buffer - 1, buffer, buffer + 1, 3 * buffer + 5] {
      try withPath { path in
        let plaintext = pattern(count)
        let summary = try write(
          plaintext, pieces: [100_000], to: path, options: SealOptions(chunkSize: chunkSize))
        let opened = try SealedFile.open(path, with: [.key(key)])
        #expect(opened.summary == summary)
        #expect(opened.plaintextLength == count)
        #expect(try opened.read() == plaintext)
      }
    }
  }

  @Test func `The content does not depend on the lengths of the writes`() throws {
    let plaintext = pattern(3 << 18)
    for pieces in [[1 << 30], [1, 2, 0, 70_000], [262_144], [262_143, 1, 2]] {
      try withPath { path in
        _ = try write(plaintext, pieces: pieces, to: path)
        #expect(try SealedFile.open(path, with: [.key(key)]).read() == plaintext)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 8])
  func `The bytes do not depend on the number of threads`(threads: Int) throws {
    // The key schedule is random, so the chunks are compared under one payload key.
    let plaintext = pattern((1 << 20) + 9)
    let plan = try SealPlan(recipients: [.key(key)], options: SealOptions(chunkSize: .kibibytes4))
    let payload = plan.payload(plaintextLength: plaintext.count)
    let expected = try payload.seal(
      plaintext.span, after: [], threads: 1, progress: .none)
    #expect(
      try payload.seal(plaintext.span, after: [], threads: threads, progress: .none) == expected)
    try withPath { path in
      let pending = try PendingFile(at: path)
      let pipeline = SealPipeline(
        cipher: payload.cipher, builder: nil, headerLength: 0, file: pending.file, threads: threads)
      for start in stride(from: 0, to: plaintext.count, by: pipeline.capacity) {
        let buffer = try pipeline.takeBuffer()
        let end = min(start + pipeline.capacity, plaintext.count)
        let count = buffer.append(
          plaintext.span.extracting(start..<end), at: 0, capacity: pipeline.capacity)
        pipeline.submit(
          buffer, count: count, firstChunk: start / 4096, isFinal: end == plaintext.count)
      }
      try pipeline.finish()
      try pending.replaceTarget()
      #expect(try contents(of: path) == expected)
    }
  }

  @Test(arguments: [0, 1]) func `A stream is sealed with as many threads as the system gives`(
    count: Int
  ) throws {
    let plaintext = pattern(6 << 20)
    let plan = try SealPlan(recipients: [.key(key)], options: SealOptions())
    let payload = plan.payload(plaintextLength: plaintext.count)
    try withPath { path in
      let pending = try PendingFile(at: path)
      let left = Monitor(count)
      let pipeline = SealPipeline(
        cipher: payload.cipher, builder: nil, headerLength: 0, file: pending.file, threads: 4
      ) { body in
        let isThere = left.withLock { left in
          left -= 1
          return left >= 0
        }
        return isThere && WorkerThreads.start(body)
      }
      for start in stride(from: 0, to: plaintext.count, by: pipeline.capacity) {
        let end = min(start + pipeline.capacity, plaintext.count)
        let buffer = try pipeline.takeBuffer()
        let count = buffer.append(
          plaintext.span.extracting(start..<end), at: 0, capacity: pipeline.capacity)
        pipeline.submit(
          buffer, count: count, firstChunk: start >> 16, isFinal: end == plaintext.count)
      }
      try pipeline.finish()
      try pending.replaceTarget()
      #expect(left.withLock { $0 } < 0)
      #expect(
        try contents(of: path)
          == payload.seal(plaintext.span, after: [], threads: 1, progress: .none))
    }
  }

  // After the last batch, no other batch is submitted that could report the error.
  @Test func `A last batch that cannot be written fails when the writer finishes`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      _ = try directory.createFile("f")
      let plan = try SealPlan(recipients: [.key(key)], options: SealOptions())
      let file = try directory.openForReading("f")
      let pipeline = SealPipeline(
        cipher: plan.payload(plaintextLength: 1).cipher, builder: nil, headerLength: 0, file: file,
        threads: 1)
      let buffer = try pipeline.takeBuffer()
      let count = buffer.append([1].span, at: 0, capacity: pipeline.capacity)
      pipeline.submit(buffer, count: count, firstChunk: 0, isFinal: true)
      let failure = error { try pipeline.finish() }
      #expect(failure?.systemCall == "pwrite")
    }
  }

  @Test func `A dropped writer leaves the old file and nothing else`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal([1].span, to: path, for: [.key(key)])
      let before = try contents(of: path)
      do {
        let writer = try SealedFileWriter(to: path, for: [.key(key)])
        try writer.write(pattern(2 << 20).span)
      }
      #expect(try contents(of: path) == before)
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A finished writer refuses further writes`() throws {
    try withPath { path in
      let writer = try SealedFileWriter(to: path, for: [.key(key)])
      try writer.write([1, 2].span)
      try writer.finish()
      #expect(code { try writer.write([3].span) } == .alreadyFinished)
      #expect(code { try writer.finish() } == .alreadyFinished)
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == [1, 2])
    }
  }

  @Test func `A cancelled stream leaves nothing, and stays cancelled`() throws {
    try withTemporaryDirectory { directory in
      do {
        let path = directory + "/f"
        let writer = try SealedFileWriter(
          to: path, for: [.key(key)], options: SealOptions(threadCount: 1)
        ) { progress in
          #expect(progress.totalByteCount == nil && progress.fraction == nil)
          return progress.completedByteCount <= 600_000
        }
        let failure = error { for _ in 0..<100 { try writer.write(pattern(100_000).span) } }
        #expect(failure == SealError(.cancelled, path: path))
        #expect(writer.byteCount < 2_000_000)
        #expect(code { try writer.finish() } == .cancelled)
      }
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test func `A writer with one thread reports what it has sealed when it has a free buffer again`()
    throws
  {
    try withPath { path in
      var seen: [Int] = []
      let writer = try SealedFileWriter(
        to: path, for: [.key(key)], options: SealOptions(threadCount: 1)
      ) { progress in
        seen.append(progress.completedByteCount)
        return true
      }
      // The progress within a long write is reported, too.
      try writer.write(pattern((1 << 20) + 5).span)
      #expect(seen == [0, 1 << 18, 2 << 18, 3 << 18])
      try writer.finish()
      // Two buffers are full before the first one has to be sealed.
      #expect(seen == [0, 1 << 18, 2 << 18, 3 << 18, (1 << 20) + 5])
    }
  }

  @Test func `A writer checks its recipients and target at once`() throws {
    try withTemporaryDirectory { (directory) throws in
      #expect(code { try SealedFileWriter(to: directory + "/f", for: []) } == .invalidKeys)
      #expect(code { try SealedFileWriter(to: directory, for: [.key(key)]) } == .notRegularFile)
      #expect(try names(in: directory).isEmpty)
    }
  }
}
