import BenchmarkHarness
import KeepsakeSeal

/// One byte anywhere in a sealed file, opening included.
@MainActor
enum RangeSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [1 << 20]
      case .standard: [1 << 20, 8 << 20, 64 << 20]
      case .full, .scale: [1 << 20, 64 << 20, 1 << 30]
      }
    return sizes.map { size in
      let identity = BenchmarkIdentity(.seal, .blob, .range, .keepsake, size: size)
      return Benchmark(
        identity, remark: "file in memory, opening included; age has to open all of it",
        measuresMemory: size > 1 << 20
      ) {
        let directory = try ScratchDirectory(inMemory: true)
        let path = directory.file("blob.sealed")
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        try SealedFile.seal(plaintext.span, to: path, for: [.key(key)])
        var random = PermutedCongruentialGenerator.published
        return PreparedBenchmark { [directory] iterations in
          for _ in 0..<iterations {
            let offset = Int(random.next64(below: UInt64(size)))
            let file = try SealedFile.open(path, with: [.key(key)])
            let byte = try file.read(offset..<offset + 1)
            try check(byte == [plaintext[offset]], "byte \(offset) is another one.")
            consume(byte)
          }
          consume(directory)
        }
      }
    }
  }
}
