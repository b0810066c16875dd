#if Peers
  extension LogRecord.Address: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("x0", &x0)
      try field("x1", &x1)
      try field("x2", &x2)
      try field("x3", &x3)
    }
  }

  extension LogRecord: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("address", &address)
      try field("identity", &identity)
      try field("userid", &userid)
      try field("date", &date)
      try field("request", &request)
      try field("code", &code)
      try field("size", &size)
    }
  }

  extension LogRecords: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("logs", &logs)
    }
  }

  extension LogRecords {
    /// The sum of three fields of each record, read in place from a buffer of FlatBuffers.
    static func sumLazily(flatBuffer bytes: [UInt8]) throws -> UInt64 {
      try unsafe bytes.withUnsafeBytes { buffer in
        guard let logs = try unsafe FlatTable(root: buffer).field(0) else { return 0 }
        var sum: UInt64 = 0
        for index in 0..<logs.vectorCount {
          let log = logs.element(index, stride: 4).table
          sum &+= UInt64(UInt16(flatField: log.field(5))) &+ UInt64(flatField: log.field(6))
          sum &+= UInt64(log.field(3)?.vectorCount ?? 0)
        }
        return sum
      }
    }
  }
#endif
