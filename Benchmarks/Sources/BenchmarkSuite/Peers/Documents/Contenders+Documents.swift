import BenchmarkHarness

extension Contenders {
  /// The rivals of `--peers all`; none without it.
  func formats() -> [Benchmark] { [] }
}

#if Peers
  extension Contenders where Value: DocumentRecord {
    /// Formats without a schema, each with a map of named fields for each record, and FlatBuffers.
    func formats() -> [Benchmark] {
      let remark = "no identity, no lazy reading"
      return roundTrip(
        .messagePack, remark: remark, count: \[UInt8].count, encode: { MessagePack.encode($0) },
        decode: { try MessagePack.decode($0) })
        + roundTrip(
          .cbor, remark: remark, count: \[UInt8].count, encode: { ConciseBinary.encode($0) },
          decode: { try ConciseBinary.decode($0) })
        + roundTrip(
          .flatBuffers, remark: "no identity; bytes are trusted, not checked",
          count: \[UInt8].count, encode: { FlatBuffers.encode($0) },
          decode: { try FlatBuffers.decode($0) })
    }
  }
#endif
