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
      guard RemoteBucket.direct != nil else { return [] }
      let sizes =
        switch extent {
        case .quick: [1 << 20]
        case .standard: [10 << 20]
        case .full, .scale: [10 << 20, 100 << 20, 1 << 30]
        }
      return sizes.flatMap { size in
        [
          byRanges(size, RemoteBucket.direct, nil),
          whole(size, RemoteBucket.direct, "whole"),
          byRanges(size, RemoteBucket.delayed, "40 ms"),
          whole(size, RemoteBucket.delayed, "whole, 40 ms"),
          Age.isInstalled ? age(size, RemoteBucket.direct, nil) : nil,
          Age.isInstalled ? age(size, RemoteBucket.delayed, "40 ms") : nil,
        ].compactMap(\.self)
      }
    #else
      return []
    #endif
  }

  #if Remote
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
      _ size: Int, _ bucket: ObjectStore?, _ variant: String?
    ) -> Benchmark? {
      guard let bucket else { return nil }
      return benchmark(size, .keepsake, variant) {
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

    /// Downloads the file by the same client, opens it in memory, and reads one value.
    private static func whole(
      _ size: Int, _ bucket: ObjectStore?, _ variant: String
    ) -> Benchmark? {
      guard let bucket else { return nil }
      return benchmark(size, .keepsake, variant) {
        let book = try await RemoteBook.stored(size)
        let (key, place) = (book.key, book.place)
        let object = try bucket.object(RemoteBook.sealedKey)
        let read: @MainActor () async throws -> Int = {
          let bytes = try await RemoteBook.download(object)
          let title = try place.title(
            in: Archive(source: SealedFile.open(bytes: bytes, with: [.key(key)])))
          try check(title == place.title, "the title is another one.")
          return bytes.count
        }
        let count = try await read()
        return PreparedBenchmark(bytesOut: count, remark: "1 request, all in memory") {
          iterations in
          for _ in 0..<iterations { _ = try await read() }
        }
      }
    }

    /// Downloads a file of age by the same client, has age decrypt it, and reads one value.
    private static func age(
      _ size: Int, _ bucket: ObjectStore?, _ variant: String?
    ) -> Benchmark? {
      guard let bucket, let age = Age.path else { return nil }
      return benchmark(size, .age, variant) {
        let book = try await RemoteBook.stored(size)
        let place = book.place
        let object = try bucket.object(RemoteBook.ageKey)
        let read: @MainActor () async throws -> Int = {
          let bytes = try await RemoteBook.download(object)
          let (sealed, opened) = (book.folder.file("download"), book.folder.file("opened"))
          try Data(bytes).write(to: URL(filePath: sealed))
          try WholeProcess.run(age, ["--decrypt", "-i", book.ageIdentity, "-o", opened, sealed])
          let title = try place.title(in: Archive(source: PositionedFile(opened)))
          try check(title == place.title, "the title is another one.")
          return bytes.count
        }
        let count = try await read()
        return PreparedBenchmark(
          bytesOut: count, remark: "1 request; age decrypts all of it, files in memory"
        ) { iterations in
          for _ in 0..<iterations { _ = try await read() }
        }
      }
    }
  #endif
}
