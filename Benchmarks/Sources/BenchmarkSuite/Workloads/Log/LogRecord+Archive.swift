import KeepsakeArchive

extension LogRecord.Address: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x0, forKey: "x0")
    coder.encode(x1, forKey: "x1")
    coder.encode(x2, forKey: "x2")
    coder.encode(x3, forKey: "x3")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let x0 = try coder.decode(UInt8.self, forKey: "x0")
    let x1 = try coder.decode(UInt8.self, forKey: "x1")
    let x2 = try coder.decode(UInt8.self, forKey: "x2")
    let x3 = try coder.decode(UInt8.self, forKey: "x3")
    self.init(x0: x0, x1: x1, x2: x2, x3: x3)
  }
}

extension LogRecord: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(address, forKey: "address")
    coder.encode(identity, forKey: "identity")
    coder.encode(userid, forKey: "userid")
    coder.encode(date, forKey: "date")
    coder.encode(request, forKey: "request")
    coder.encode(code, forKey: "code")
    coder.encode(size, forKey: "size")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let address = try coder.decode(Address.self, forKey: "address")
    let identity = try coder.decode(String.self, forKey: "identity")
    let userid = try coder.decode(String.self, forKey: "userid")
    let date = try coder.decode(String.self, forKey: "date")
    let request = try coder.decode(String.self, forKey: "request")
    let code = try coder.decode(UInt16.self, forKey: "code")
    let size = try coder.decode(UInt64.self, forKey: "size")
    self.init(
      address: address, identity: identity, userid: userid, date: date, request: request,
      code: code, size: size)
  }
}

extension LogRecords {
  /// An archive with one object for each record.
  func archive(bundleVersion: String? = nil) throws -> [UInt8] {
    try Records.archive(logs, typeName: "Log", bundleVersion: bundleVersion)
  }

  /// Reads all records of such an archive as values of the program's own type.
  init(unarchiving bytes: [UInt8]) throws {
    self.init(logs: try Records.unarchive(bytes))
  }

  /// Opens such an archive and reads only three fields of each record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    var sum: UInt64 = 0
    try Archive(bytes).forEachObject { record in
      sum &+= UInt64(try record.decode(UInt16.self, forKey: "code"))
      sum &+= try record.decode(UInt64.self, forKey: "size")
      sum &+= UInt64(try record.bytes(forKey: "date").count)
    }
    return sum
  }
}
