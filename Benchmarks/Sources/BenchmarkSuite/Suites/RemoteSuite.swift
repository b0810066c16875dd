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
        benchmarks(size, RemoteBucket.direct, nil)
          + benchmarks(size, RemoteBucket.delayed, "40 ms")
      }
    #else
      return []
    #endif
  }

  #if Remote
    /// The benchmarks of one size in a bucket; none without the bucket.
    private static func benchmarks(
      _ size: Int, _ bucket: ObjectStore?, _ delay: String?
    ) -> [Benchmark] {
      guard let bucket else { return [] }
      let ranges = byRanges(size, bucket, delay)
      let whole = downloaded(
        size, bucket, RemoteBook.sealedKey, .keepsake,
        ["whole", delay].compactMap(\.self).joined(separator: ", "), "1 request, all in memory"
      ) { book, bytes in
        try book.place.title(
          in: Archive(source: SealedFile.open(bytes: bytes, with: [.key(book.key)])))
      }
      guard Age.isInstalled, let age = Age.path else { return [ranges, whole] }
      let decrypted = downloaded(
        size, bucket, RemoteBook.ageKey, .age, delay,
        "1 request; age decrypts all of it, files in memory"
      ) { book, bytes in
        let (sealed, opened) = (book.folder.file("download"), book.folder.file("opened"))
        try Data(bytes).write(to: URL(filePath: sealed))
        try WholeProcess.run(age, ["--decrypt", "-i", book.ageIdentity, "-o", opened, sealed])
        return try book.place.title(in: Archive(source: PositionedFile(opened)))
      }
      return [ranges, whole, decrypted]
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
      _ size: Int, _ bucket: ObjectStore, _ variant: String?
    ) -> Benchmark {
      benchmark(size, .keepsake, variant) {
        let book = try await RemoteBook.stored(size)
        let (key, place) = (book.key, book.place)
        let object = try bucket.object(RemoteBook.sealedKey)
        let read: @MainActor () async throws -> RemoteSource.Traffic = {
          let source = try await RemoteSource.open(object)
          let title = try await source.perform { source in
            try place.title(
              in: Archive(source: SealedFile.open(source: source, with: [.key(key)])))
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
