import BenchmarkHarness
import KeepsakeArchive

#if Macros
  /// A line of the log; `@Archivable` generates its keyed methods.
  @Archivable
  struct MacroLogRecord: Equatable {
    @Archivable
    struct Address: Equatable {
      var x0: UInt8
      var x1: UInt8
      var x2: UInt8
      var x3: UInt8
    }

    var address: Address
    var identity: String
    var userid: String
    var date: String
    var request: String
    var code: UInt16
    var size: UInt64
  }

  extension MacroLogRecord {
    init(_ log: LogRecord) {
      let address = log.address
      self.init(
        address: Address(x0: address.x0, x1: address.x1, x2: address.x2, x3: address.x3),
        identity: log.identity, userid: log.userid, date: log.date, request: log.request,
        code: log.code, size: log.size)
    }

    var record: LogRecord {
      LogRecord(
        address: LogRecord.Address(x0: address.x0, x1: address.x1, x2: address.x2, x3: address.x3),
        identity: identity, userid: userid, date: date, request: request, code: code, size: size)
    }
  }
#endif

extension Contenders where Value == LogRecords {
  /// The same records with `@Archivable`, if the suite is built with the trait `Macros`.
  func macro() -> [Benchmark] {
    #if Macros
      return roundTrip(
        .keepsake, variant: "@Archivable", remark: "methods written by the macro",
        model: { $0.logs.map { MacroLogRecord($0) } },
        value: { LogRecords(logs: $0.map(\.record)) }, count: \.count,
        encode: { try Records.archive($0, typeName: "Log", bundleVersion: nil) },
        decode: { (bytes: [UInt8]) throws -> [MacroLogRecord] in try Records.unarchive(bytes) })
    #else
      return []
    #endif
  }
}
