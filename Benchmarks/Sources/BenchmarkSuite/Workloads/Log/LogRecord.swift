/// One line of a web server's log, as rust_serialization_benchmark defines it.
struct LogRecord: Codable, Equatable, Sendable {
  struct Address: Codable, Equatable, Sendable {
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

/// The root of the workload.
struct LogRecords: Codable, Equatable, Sendable {
  var logs: [LogRecord]
}
