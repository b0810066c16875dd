import Foundation

/// A log record as a class for `NSKeyedArchiver`, written as its documentation shows it.
final class CodedLog: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let record: LogRecord

  init(_ record: LogRecord) {
    self.record = record
  }

  func encode(with coder: NSCoder) {
    coder.encode(CodedAddress(record.address), forKey: "address")
    coder.encode(record.identity as NSString, forKey: "identity")
    coder.encode(record.userid as NSString, forKey: "userid")
    coder.encode(record.date as NSString, forKey: "date")
    coder.encode(record.request as NSString, forKey: "request")
    coder.encode(Int(record.code), forKey: "code")
    coder.encode(Int64(record.size), forKey: "size")
  }

  init?(coder: NSCoder) {
    guard let address = coder.decodeObject(of: CodedAddress.self, forKey: "address"),
      let identity = coder.decodeObject(of: NSString.self, forKey: "identity"),
      let userid = coder.decodeObject(of: NSString.self, forKey: "userid"),
      let date = coder.decodeObject(of: NSString.self, forKey: "date"),
      let request = coder.decodeObject(of: NSString.self, forKey: "request")
    else { return nil }
    record = LogRecord(
      address: address.address, identity: "\(identity)", userid: "\(userid)", date: "\(date)",
      request: "\(request)", code: UInt16(truncatingIfNeeded: coder.decodeInteger(forKey: "code")),
      size: UInt64(bitPattern: coder.decodeInt64(forKey: "size")))
  }
}

/// The address of a log record, a separate object as in the record.
final class CodedAddress: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let address: LogRecord.Address

  init(_ address: LogRecord.Address) {
    self.address = address
  }

  func encode(with coder: NSCoder) {
    coder.encode(Int(address.x0), forKey: "x0")
    coder.encode(Int(address.x1), forKey: "x1")
    coder.encode(Int(address.x2), forKey: "x2")
    coder.encode(Int(address.x3), forKey: "x3")
  }

  init?(coder: NSCoder) {
    address = LogRecord.Address(
      x0: UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "x0")),
      x1: UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "x1")),
      x2: UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "x2")),
      x3: UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "x3")))
  }
}

/// The root.
final class CodedLogs: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  static var classes: [AnyClass] {
    [NSArray.self, NSString.self, CodedLog.self, CodedAddress.self]
  }

  let records: LogRecords

  init(_ records: LogRecords) {
    self.records = records
  }

  func encode(with coder: NSCoder) {
    coder.encode(records.logs.map { CodedLog($0) } as NSArray, forKey: "logs")
  }

  init?(coder: NSCoder) {
    guard let logs = coder.decodeObject(of: Self.classes, forKey: "logs") as? [CodedLog] else {
      return nil
    }
    records = LogRecords(logs: logs.map(\.record))
  }
}
