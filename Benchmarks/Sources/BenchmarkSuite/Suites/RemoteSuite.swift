import BenchmarkHarness

#if Remote
  import Foundation
  import Keepsake
  import KeepsakeRemote
#endif

/// One value of a large sealed archive in an object store: by ranges, and after a download of the whole.
@MainActor
enum RemoteSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    #if Remote
      let sizes =
        switch extent {
        case .quick: [1 << 20]
        case .standard: [10 << 20]
        case .full, .scale: [10 << 20, 100 << 20, 1 << 30]
        }
      return sizes.flatMap { size in
        benchmarks(size, .direct, nil) + benchmarks(size, .delayed, "40 ms")
      }
    #else
      return []
    #endif
  }

  #if Remote
    /// The benchmarks of one size in a bucket; none without the bucket.
    private static func benchmarks(
      _ size: Int, _ place: RemoteBucket, _ delay: String?
    ) -> [Benchmark] {
      // A value that is read in turn is no longer in a small cache.
      guard let bucket = place.store(), let uncached = place.store(cacheByteCount: 0) else {
        return []
      }
      func variant(_ name: String) -> String {
        [name, delay].compactMap(\.self).joined(separator: ", ")
      }
      let ranges = [
        byRanges(size, bucket, delay, isSigned: false),
        byRanges(size, bucket, variant("signed"), isSigned: true),
        warm(size, uncached, variant("opened before")),
      ]
      let whole = downloaded(
        size, bucket, RemoteBook.sealedKey, .keepsake,
        variant("whole"), "1 request, all in memory"
      ) { book, bytes in
        try book.place.title(
          in: Archive(source: SealedFile.open(bytes: bytes, with: [.key(book.key)])))
      }
      guard Age.isInstalled, let age = Age.path else { return ranges + [whole] }
      let decrypted = downloaded(
        size, bucket, RemoteBook.ageKey, .age, delay,
        "1 request; age decrypts all of it, files in memory"
      ) { book, bytes in
        let (sealed, opened) = (book.folder.file("download"), book.folder.file("opened"))
        try Data(bytes).write(to: URL(filePath: sealed))
        try WholeProcess.run(age, ["--decrypt", "-i", book.ageIdentity, "-o", opened, sealed])
        return try book.place.title(in: Archive(source: PositionedFile(opened)))
      }
      return ranges + [whole, decrypted]
    }

    private static func benchmark(
      _ size: Int, _ subject: Subject, _ variant: String?,
      prepare: @escaping @MainActor () async throws -> PreparedBenchmark
    ) -> Benchmark {
      var benchmark = Benchmark(
        BenchmarkIdentity(.remote, .blob, .random, subject, variant: variant, size: size),
        measuresMemory: false, prepare: prepare)
      benchmark.countsAllocations = false
      return benchmark
    }

    /// Opens the file by ranges and reads one value, each time without what the last one has fetched.
    private static func byRanges(
      _ size: Int, _ bucket: ObjectStore, _ variant: String?, isSigned: Bool
    ) -> Benchmark {
      benchmark(size, .keepsake, variant) {
        let book = try await RemoteBook.stored(size)
        let (key, place) = (book.key, book.place)
        let signer = isSigned ? book.signer.signer : nil
        let object = try bucket.object(RemoteBook.sealedKey)
        let read: @MainActor () async throws -> RemoteSource.Traffic = {
          let source = try await RemoteSource.open(object)
          let title = try await source.perform { source in
            try place.title(in: RemoteBook.archive(in: source, key, signedBy: signer))
          }
          try check(title == place.title, "the title is another one.")
          return source.traffic
        }
        let traffic = try await read()
        return PreparedBenchmark(
          bytesOut: traffic.byteCount, remark: "\(traffic.requestCount) requests"
        ) { iterations in
          for _ in 0..<iterations { _ = try await read() }
        }
      }
    }

    /// Reads one value after the other of an archive that is open; none of them is in memory.
    private static func warm(_ size: Int, _ bucket: ObjectStore, _ variant: String) -> Benchmark {
      benchmark(size, .keepsake, variant) {
        let book = try await RemoteBook.stored(size)
        let (key, first) = (book.key, book.place)
        let source = try await RemoteSource.open(bucket.object(RemoteBook.sealedKey))
        let archive = try await source.perform { source in
          let archive = try RemoteBook.archive(in: source, key)
          _ = try first.title(in: archive)
          return archive
        }
        var turn = 0
        let read: @MainActor () async throws -> Void = {
          turn += 1
          let place = book.place(afterTurns: turn)
          let title = try await source.perform { _ in try place.title(in: archive) }
          try check(title == place.title, "the title is another one.")
        }
        let before = source.traffic
        for _ in 0..<RemoteBook.turnCount { try await read() }
        let traffic = source.traffic
        let requests = Double(traffic.requestCount - before.requestCount)
        return PreparedBenchmark(
          bytesOut: (traffic.byteCount - before.byteCount) / RemoteBook.turnCount,
          remark: "\(requests / Double(RemoteBook.turnCount)) requests"
        ) { iterations in
          for _ in 0..<iterations { try await read() }
        }
      }
    }

    /// Downloads an object by the same client, and has a closure open the bytes and read one value.
    private static func downloaded(
      _ size: Int, _ bucket: ObjectStore, _ key: String, _ subject: Subject, _ variant: String?,
      _ remark: String, title: @escaping @MainActor (RemoteBook, [UInt8]) throws -> String
    ) -> Benchmark {
      benchmark(size, subject, variant) {
        let book = try await RemoteBook.stored(size)
        let object = try bucket.object(key)
        let read: @MainActor () async throws -> Int = {
          let bytes = try await RemoteBook.download(object)
          try check(try title(book, bytes) == book.place.title, "the title is another one.")
          return bytes.count
        }
        return PreparedBenchmark(bytesOut: try await read(), remark: remark) { iterations in
          for _ in 0..<iterations { _ = try await read() }
        }
      }
    }
  #endif
}
