import BenchmarkHarness
import KeepsakeSeal

/// Sealed files that are written and read piece by piece: their memory does not grow with their size.
@MainActor
enum StreamSuite {
  private static let pieceSize = 1 << 20

  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [2 << 20]
      case .standard: [64 << 20]
      case .full, .scale: [256 << 20, 1 << 30, 4 << 30]
      }
    guard ScratchDirectory.holdsFilesInMemory else { return [] }
    return sizes.flatMap { [writing($0), reading($0)] }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ size: Int
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.seal, .blob, operation, .keepsake, variant: "stream", size: size)
  }

  private static func write(_ pieces: Int, of piece: [UInt8], to path: String, _ key: SealKey)
    throws
  {
    let writer = try SealedFileWriter(to: path, for: [.key(key)])
    for _ in 0..<pieces { try writer.write(piece.span) }
    try writer.finish()
  }

  private static func writing(_ size: Int) -> Benchmark {
    Benchmark(identity(.seal, size), remark: "piece by piece, file in memory") {
      let directory = try ScratchDirectory(inMemory: true)
      let path = directory.file("stream")
      let piece = NamedBlob.noise(pieceSize)
      let key = try SealKey.generate()
      return PreparedBenchmark(bytesIn: size) { iterations in
        for _ in 0..<iterations { try write(size / pieceSize, of: piece, to: path, key) }
        consume(directory)
      }
    }
  }

  private static func reading(_ size: Int) -> Benchmark {
    Benchmark(identity(.unseal, size), remark: "piece by piece, file in memory") {
      let directory = try ScratchDirectory(inMemory: true)
      let path = directory.file("stream")
      let piece = NamedBlob.noise(pieceSize)
      let key = try SealKey.generate()
      try write(size / pieceSize, of: piece, to: path, key)
      return PreparedBenchmark(bytesIn: size) { iterations in
        for _ in 0..<iterations {
          var reader = try SealedFile.open(path, with: [.key(key)]).makeReader()
          var count = 0
          while let bytes = try reader.next() {
            count += bytes.count
            consume(bytes)
          }
          try check(count == size, "the stream has \(count) bytes.")
        }
        consume(directory)
      }
    }
  }
}
