import KeepsakeArchive

/// A line of the log in the program of five versions later: the migration makes it from a ``LogRecord``.
struct LogLine {
  var address: LogRecord.Address
  var user: String
  var date: String
  var request: String
  var code: Int64
  var byteCount: UInt64

  /// Makes a line from a record of the old program, as the migration's steps do.
  init(_ record: LogRecord) {
    address = record.address
    user = record.userid
    date = record.date
    request = record.request
    code = Int64(record.code)
    byteCount = record.size
  }
}

extension LogLine: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(address, forKey: "address")
    coder.encode(user, forKey: "user")
    coder.encode(date, forKey: "date")
    coder.encode(request, forKey: "request")
    coder.encode(code, forKey: "code")
    coder.encode(byteCount, forKey: "byteCount")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    address = try coder.decode(LogRecord.Address.self, forKey: "address")
    user = try coder.decode(String.self, forKey: "user")
    date = try coder.decode(String.self, forKey: "date")
    request = try coder.decode(String.self, forKey: "request")
    code = try coder.decode(Int64.self, forKey: "code")
    byteCount = try coder.decode(UInt64.self, forKey: "byteCount")
  }
}
