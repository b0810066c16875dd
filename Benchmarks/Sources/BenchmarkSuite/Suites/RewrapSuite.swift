import BenchmarkHarness
import KeepsakeSeal

/// Gives a file another key: the content is neither opened nor sealed again.
@MainActor
enum RewrapSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    guard ScratchDirectory.holdsFilesInMemory else { return [] }
    let sizes =
      switch extent {
      case .quick: [1 << 20]
      case .standard: [64 << 10, 1 << 20, 64 << 20]
      case .full, .scale: [64 << 10, 1 << 20, 64 << 20, 1 << 30]
      }
    return sizes.map { size in
      let identity = BenchmarkIdentity(.seal, .blob, .rewrap, .keepsake, size: size)
      return Benchmark(
        identity, remark: "a key replaced, file in memory; age has to seal all of it again",
        measuresMemory: size > 1 << 20
      ) {
        let directory = try ScratchDirectory(inMemory: true)
        let path = directory.file("blob.sealed")
        let plaintext = NamedBlob.noise(size)
        var key = try SealKey.generate()
        var next = try SealKey.generate()
        try SealedFile.seal(plaintext.span, to: path, for: [.key(key)])
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            try SealedFile.rewrap(
              path, with: [.key(key)], adding: [.key(next)], removing: [.slot(0)])
            swap(&key, &next)
          }
          try check(
            try SealedFile.open(path, with: [.key(key)]).read(0..<16) == Array(plaintext[..<16]),
            "the new key does not open the file.")
          consume(directory)
        }
      }
    }
  }
}
