import BenchmarkHarness
import CPeers
import CSodiumPeer
import Foundation
import Keepsake

/// A journal of entries of 200 bytes: appended durably, in bulk, read as a whole and by number.
@MainActor
enum JournalSuite {
  private static let entryLength = 200

  /// With `--full` the journal has 10,000,000 entries, to read and to find.
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let bulk = extent == .quick ? 1 << 20 : 64 << 20
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let bound = (cores == 1 ? [1] : [1, cores]).flatMap { threads in
      (bulkAppending(bulk, threads) + reading(bulk, threads)).map { benchmark in
        var benchmark = benchmark
        benchmark.isBoundToOneCore = threads == 1 && extent != .quick
        return benchmark
      }
    }
    let large = extent == .full ? 10_000_000 * entryLength : bulk
    let memory = extent == .full ? [readingAll(large, verifyingChain: true)] : []
    let all =
      appendingOne() + appendingAtOnce(1_000) + bound + finding(large) + opening(large)
      + JournaledValueSuite.benchmarks(extent)
    return all.withoutMemory + memory
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int,
    variant: String? = nil, threads: Int? = nil
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(
      .journal, .log, operation, subject, variant: variant, size: size, threads: threads)
  }

  private static func entries(_ byteCount: Int) -> [[UInt8]] {
    let entry = NamedBlob.noise(entryLength)
    return Array(repeating: entry, count: byteCount / entryLength)
  }

  /// One entry, durable before the next one is appended.
  private static func appendingOne() -> [Benchmark] {
    [
      Benchmark(identity(.append, .keepsake, entryLength), remark: "sealed and durable") {
        let journal = try ScratchJournal()
        let entry = NamedBlob.noise(entryLength)
        return PreparedBenchmark(bytesIn: entryLength) { iterations in
          for _ in 0..<iterations { try journal.open.append(entry) }
        }
      },
      Benchmark(identity(.append, .json, entryLength), remark: "a line, libsodium, fdatasync") {
        try check(sodium_init() >= 0, "libsodium does not start.")
        let file = try AppendedFile()
        let entry = Data(NamedBlob.noise(entryLength))
        return PreparedBenchmark(bytesIn: entryLength) { iterations in
          for _ in 0..<iterations { try file.append(try SealedLine.make(entry)) }
        }
      },
      Benchmark(
        identity(.append, .systemCalls, entryLength),
        remark: "the limit: write and fdatasync of a frame's bytes"
      ) {
        let file = try AppendedFile()
        // A frame with one entry has 100 bytes more than its content.
        let frame = NamedBlob.noise(entryLength + 100)
        return PreparedBenchmark(bytesIn: entryLength) { iterations in
          for _ in 0..<iterations { try file.append(frame) }
        }
      },
    ] + database()
  }

  private static func database() -> [Benchmark] {
    #if Peers
      let remark = "WAL, synchronous=FULL, not encrypted"
      return [
        Benchmark(identity(.append, .grdb, entryLength), remark: remark) {
          let table = try EntryTable()
          let entry = Data(NamedBlob.noise(entryLength))
          return PreparedBenchmark(bytesIn: entryLength) { iterations in
            for _ in 0..<iterations { try table.append(entry) }
          }
        }
      ]
    #else
      return []
    #endif
  }

  /// Many calls at the same time, which share writes.
  private static func appendingAtOnce(_ count: Int) -> [Benchmark] {
    let size = count * entryLength
    return [
      Benchmark(identity(.append, .keepsake, size), remark: "\(count) calls at the same time") {
        let journal = try ScratchJournal()
        let entry = NamedBlob.noise(entryLength)
        return PreparedBenchmark(
          bytesIn: size,
          asynchronous: { iterations in
            for _ in 0..<iterations { try await append(entry, count, to: journal.open) }
          })
      },
      Benchmark(identity(.append, .systemCalls, size), remark: "the limit: one durable write") {
        let file = try AppendedFile()
        let bytes = NamedBlob.noise(size)
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations { try file.append(bytes) }
        }
      },
    ]
  }

  /// Appends by tasks outside of the main actor, which each task would wake at its end.
  nonisolated private static func append(
    _ entry: [UInt8], _ count: Int, to journal: Journal<[UInt8]>
  ) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<count { group.addTask { try await journal.append(entry) } }
    }
  }

  /// Entries in calls of a MiB, into memory, so that the disk does not count.
  private static func bulkAppending(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(
        identity(.seal, .keepsake, size, threads: threads),
        remark: "entries of 200 bytes, in memory"
      ) {
        let batch = entries(1 << 20)
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            let journal = try ScratchJournal(inMemory: true)
            for _ in 0..<size >> 20 { try journal.open.append(contentsOf: batch) }
          }
        }
      }
    ] + limit(.seal, size, threads)
  }

  /// The AEAD alone, from C with one thread.
  private static func limit(
    _ operation: BenchmarkIdentity.Operation, _ size: Int, _ threads: Int
  ) -> [Benchmark] {
    [
      Benchmark(
        identity(operation, .libsodium, size, threads: threads),
        remark: "the limit; from C, one thread, into the same memory"
      ) {
        let sodium = try SodiumChunks(threads: 1)
        let plaintext = NamedBlob.noise(size)
        let sealed = sodium.seal(plaintext)
        let memory = ReusedMemory(SodiumChunks.sealedSize(size))
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            if operation == .seal {
              sodium.seal(plaintext, into: memory)
            } else {
              try sodium.open(sealed, size, into: memory)
            }
          }
        }
      }
    ]
  }

  private static func reading(_ size: Int, _ threads: Int) -> [Benchmark] {
    [true, false].map { readingAll(size, threads, verifyingChain: $0) }
      + limit(.unseal, size, threads)
  }

  private static func readingAll(
    _ size: Int, _ threads: Int? = nil, verifyingChain: Bool
  ) -> Benchmark {
    let name = identity(
      .unseal, .keepsake, size, variant: verifyingChain ? nil : "without the chain",
      threads: threads)
    return Benchmark(name, remark: "every entry, one after the other") {
      let journal = try ScratchJournal(holding: size)
      return PreparedBenchmark(
        bytesIn: size,
        asynchronous: { iterations in
          for _ in 0..<iterations {
            let entries = journal.directory.entries(
              as: .bytes(), verifyingChain: verifyingChain)
            let length = try await totalLength(of: entries)
            try check(length == size / 1_000_000 * 1_000_000, "entries are missing.")
          }
        })
    }
  }

  /// The bytes of all entries, read outside of the main actor.
  nonisolated private static func totalLength(of entries: JournalEntries<[UInt8]>) async throws
    -> Int
  {
    var length = 0
    for try await entry in entries { length += entry.value.count }
    return length
  }

  private static func finding(_ size: Int) -> [Benchmark] {
    [
      Benchmark(identity(.lookup, .keepsake, size), remark: "one entry by its number") {
        let journal = try ScratchJournal(holding: size)
        let count = try journal.directory.count()
        var random = PermutedCongruentialGenerator.published
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            // Without the places that earlier searches found.
            let directory = JournalDirectory(journal.path, with: try ScratchJournal.keys())
            let number = UInt64(random.nextUInt32()) * count >> 32
            consume(try directory.entry(number, as: .bytes()))
          }
        }
      }
    ]
  }

  /// Opening for appending and closing again, without an entry.
  private static func opening(_ size: Int) -> [Benchmark] {
    [
      Benchmark(identity(.open, .keepsake, size), remark: "for appending") {
        let journal = try ScratchJournal(holding: size)
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations { try ScratchJournal.open(journal.path).close() }
        }
      }
    ]
  }
}

/// A journal in a directory of its own.
private final class ScratchJournal {
  private static let key = Result { try SealKey.generate() }

  static func keys() throws -> JournalKeys { .key(try key.get()) }

  private let folder: ScratchDirectory
  let path: String
  let open: Journal<[UInt8]>
  let directory: JournalDirectory

  init(inMemory: Bool = false) throws {
    folder = try ScratchDirectory(inMemory: inMemory)
    path = folder.file("journal")
    open = try Self.open(path)
    directory = JournalDirectory(path, with: try Self.keys())
  }

  /// A closed journal of one file with this number of bytes of entries.
  convenience init(holding size: Int) throws {
    try self.init()
    let entry = NamedBlob.noise(200)
    let entries = Array(repeating: entry, count: 5_000)
    for _ in 0..<max(1, size / 1_000_000) { try open.append(contentsOf: entries) }
    try open.close()
  }

  static func open(_ path: String) throws -> Journal<[UInt8]> {
    try Journal<[UInt8]>.open(
      at: path, for: try keys(), as: .bytes(),
      options: JournalOptions(rotation: JournalRotation(size: nil)))
  }
}

/// A file that bytes are appended to durably, by system calls alone.
private final class AppendedFile {
  private let folder: ScratchDirectory
  private let file: Int32

  init() throws {
    folder = try ScratchDirectory()
    file = unsafe keepsake_peer_open_appending(folder.file("lines"))
    try check(file >= 0, "a file cannot be made.")
  }

  deinit { keepsake_peer_close(file) }

  func append(_ bytes: [UInt8]) throws {
    let done = unsafe keepsake_peer_append_durably(file, bytes, bytes.count) != 0
    try check(done, "a system call failed.")
  }
}

/// A line of a log as apps seal it by hand: JSON, one call of libsodium, base64.
private enum SealedLine {
  private struct Line: Encodable {
    let content: Data
  }

  private static let key = [UInt8](repeating: 7, count: 32)

  static func make(_ entry: Data) throws -> [UInt8] {
    let plain = Array(try JSONEncoder().encode(Line(content: entry)))
    var nonce = [UInt8](repeating: 0, count: 24)
    unsafe randombytes_buf(&nonce, nonce.count)
    var sealed = [UInt8](repeating: 0, count: plain.count + 16)
    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, plain, UInt64(plain.count), nil, 0, nil, nonce, key)
    return Array(Data(nonce + sealed).base64EncodedData()) + [UInt8(ascii: "\n")]
  }
}
