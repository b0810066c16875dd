import BenchmarkHarness

extension Contenders {
  /// The rivals that come by `--peers all`; none without.
  func formats() -> [Benchmark] { [] }
}

#if Peers
  extension Contenders where Value: DocumentValue {
    /// Formats without a schema, each with a map of named fields for each record.
    func formats() -> [Benchmark] {
      let remark = "no identity, no lazy reading"
      return roundTrip(
        .messagePack, remark: remark, count: \[UInt8].count, encode: { MessagePack.encode($0) },
        decode: { try MessagePack.decode($0) })
        + roundTrip(
          .cbor, remark: remark, count: \[UInt8].count, encode: { ConciseBinary.encode($0) },
          decode: { try ConciseBinary.decode($0) })
    }
  }
#endif
