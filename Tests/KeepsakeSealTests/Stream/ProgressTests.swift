import Synchronization
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `Progress and cancellation` {
  private let key: SealKey
  private let plaintext = pattern(3 << 20)

  init() throws { key = try .generate() }

  /// Each long operation, with an observer.
  private func operations(
    in directory: String
  ) throws -> [(name: String, run: (@escaping SealProgress.Observer) throws -> Void)] {
    let (path, plain) = (directory + "/f", directory + "/plain")
    try SealedFile.seal(plaintext.span, to: path, for: [.key(key)])
    try write(plaintext, to: plain)
    let key = key
    let plaintext = plaintext
    let other = SealRecipient.key(try .generate())
    return [
      ("seal", { try SealedFile.seal(plaintext.span, to: path, for: [.key(key)], progress: $0) }),
      (
        "seal a file",
        { try SealedFile.seal(contentsOf: plain, to: path, for: [.key(key)], progress: $0) }
      ),
      ("read", { _ = try SealedFile.open(path, with: [.key(key)]).read(progress: $0) }),
      (
        "extract",
        { try SealedFile.open(path, with: [.key(key)]).extract(to: plain, progress: $0) }
      ),
      (
        "reseal", { try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)], progress: $0) }
      ),
      (
        "rewrap",
        {
          try SealedFile.rewrap(
            path, with: [.key(key)], adding: [other], progress: $0)
        }
      ),
    ]
  }

  @Test func `Progress rises to the total, on the calling thread`() throws {
    try withTemporaryDirectory { directory in
      let caller = CurrentThread.identifier
      for operation in try operations(in: directory) {
        var seen: [SealProgress] = []
        try operation.run { progress in
          #expect(CurrentThread.identifier == caller)
          seen.append(progress)
          return true
        }
        #expect(seen.last?.completedByteCount == plaintext.count, "\(operation.name)")
        #expect(seen.last?.fraction == 1)
        #expect(seen.map(\.completedByteCount) == seen.map(\.completedByteCount).sorted())
        #expect(seen.allSatisfy { $0.totalByteCount == plaintext.count })
      }
    }
  }

  @Test func `A cancelled operation changes nothing`() throws {
    try withTemporaryDirectory { directory in
      for operation in try operations(in: directory) {
        let before = try [contents(of: directory + "/f"), contents(of: directory + "/plain")]
        var calls = 0
        let failure = error {
          try operation.run { _ in
            calls += 1
            return false
          }
        }
        #expect(failure?.code == .cancelled, "\(operation.name)")
        #expect(calls == 1)
        #expect(try [contents(of: directory + "/f"), contents(of: directory + "/plain")] == before)
        #expect(try names(in: directory) == ["f", "plain"])
      }
    }
  }

  @Test func `One thread reports each batch once, in order`() throws {
    var seen: [Int] = []
    let batches = Mutex<[Int]>([])
    let report = ProgressReport(total: 60) { progress in
      seen.append(progress.completedByteCount)
      return true
    }
    try ParallelWork.forEach(1..<4, threads: 1, scratch: .init(), progress: report) { batch, _ in
      batches.withLock { $0.append(batch) }
      return 10 * batch
    }
    #expect(batches.withLock { $0 } == [1, 2, 3])
    #expect(seen == [10, 30, 60])
  }

  @Test func `The error of the lower batch is thrown when two batches fail at once`() {
    for _ in 0..<100 {
      let begun = Monitor(0)
      let failure = error {
        try ParallelWork.forEach(0..<2, threads: 2, scratch: .init()) {
          batch, _ throws(SealError) in
          begun.withLock { $0 += 1 }
          begun.wait { $0 == 2 }
          throw SealError(.damagedChunk, chunkIndex: batch)
        }
      }
      #expect(failure?.chunkIndex == 0)
    }
  }

  @Test func `The number of threads is the one that the options or the policy state, at least one`()
  {
    for (stated, expected) in [(-1, 1), (0, 1), (1, 1), (5, 5), (100, 100)] {
      #expect(SealOptions(threadCount: stated).resolvedThreadCount == expected)
      #expect(SealPolicy(threadCount: stated).resolvedThreadCount == expected)
    }
    #expect((1...16).contains(SealOptions().resolvedThreadCount))
    #expect((1...16).contains(SealPolicy().resolvedThreadCount))
  }

  @Test func `An empty operation is complete from the start`() {
    #expect(SealProgress(completedByteCount: 0, totalByteCount: 0).fraction == 1)
    #expect(SealProgress(completedByteCount: 1, totalByteCount: 4).fraction == 0.25)
  }
}
