import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyLog {
    @ForyStruct(target: LogRecord.Address.self)
    struct AddressSerializer {
      var x0: UInt8
      var x1: UInt8
      var x2: UInt8
      var x3: UInt8
    }

    @ForyStruct(target: LogRecord.self)
    struct LogRecordSerializer {
      @ForyField(with: AddressSerializer.self)
      var address: LogRecord.Address
      var identity: String
      var userid: String
      var date: String
      var request: String
      var code: UInt16
      var size: UInt64
    }

    @ForyStruct(target: LogRecords.self)
    struct RootSerializer {
      @ListField(element: .with(LogRecordSerializer.self))
      var logs: [LogRecord]
    }

    static func register(with fory: Fory) throws {
      try fory.register(AddressSerializer.self, id: 1)
      try fory.register(LogRecordSerializer.self, id: 2)
      try fory.register(RootSerializer.self, id: 3)
    }
  }
#endif

extension Contenders where Value == LogRecords {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyLog.register,
        encode: { try $0.serialize($1, with: ForyLog.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyLog.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
