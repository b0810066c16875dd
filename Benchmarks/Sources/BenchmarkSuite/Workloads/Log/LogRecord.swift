/// One line of a web server's log, as rust_serialization_benchmark defines it.
struct LogRecord: Codable, Equatable, Sendable {
  struct Address: Codable, Equatable, Sendable {
    var x0: UInt8 = 0
    var x1: UInt8 = 0
    var x2: UInt8 = 0
    var x3: UInt8 = 0
  }

  var address = Address()
  var identity: String = ""
  var userid: String = ""
  var date: String = ""
  var request: String = ""
  var code: UInt16 = 0
  var size: UInt64 = 0
}

/// The root of the workload.
struct LogRecords: Codable, Equatable, Sendable {
  var logs: [LogRecord] = []
}

extension LogRecords {
  /// The size of the values with fixed-width numbers and eight bytes before each string and list, as the
  /// published sizes are counted.
  var fixedSize: Int {
    logs.reduce(8) { size, log in
      size + 4 + 2 + 8 + 4 * 8 + log.identity.utf8.count + log.userid.utf8.count
        + log.date.utf8.count + log.request.utf8.count
    }
  }

  /// The expected sum of a lazy reader of three fields.
  var sum: UInt64 {
    logs.reduce(0) { $0 &+ UInt64($1.code) &+ $1.size &+ UInt64($1.date.utf8.count) }
  }
}
