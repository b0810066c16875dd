import BenchmarkHarness

/// `log` in the record layout of an archive (Spec/archive.md, 4.4), by code that knows nothing else.
///
/// No keys, no tables, no directory: what the generality of the keyed coder is held against. Reading
/// is as careful as Keepsake's: every range is checked and every string is validated.
enum HardLog {
  // The number of the shape, then the slots in the order of writing, then padding.
  private static let addressEnd = 4
  private static let identityEnd = 8
  private static let useridEnd = 12
  private static let dateEnd = 16
  private static let requestEnd = 20
  private static let code = 24
  private static let size = 26
  private static let tail = 40
  // The payload of the address is a record of its own, with the number of another shape.
  private static let addressSize = 8

  static func encode(_ records: LogRecords) -> [UInt8] {
    var output = RawOutput(capacity: records.logs.count * 128)
    for log in records.logs {
      let base = output.count
      output.appendZeros(tail + addressSize)
      let address = base + tail + 4
      output.store(log.address.x0, at: address)
      output.store(log.address.x1, at: address + 1)
      output.store(log.address.x2, at: address + 2)
      output.store(log.address.x3, at: address + 3)
      output.store(UInt32(addressSize), at: base + addressEnd)
      output.append(log.identity, end: base + identityEnd, tail: base + tail)
      output.append(log.userid, end: base + useridEnd, tail: base + tail)
      output.append(log.date, end: base + dateEnd, tail: base + tail)
      output.append(log.request, end: base + requestEnd, tail: base + tail)
      output.store(log.code, at: base + code)
      output.store(log.size, at: base + size)
      output.pad()
    }
    return output.bytes
  }

  static func decode(_ bytes: [UInt8]) throws -> LogRecords {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var logs: [LogRecord] = []
      logs.reserveCapacity(bytes.count / 104)
      var base = 0
      while base < bytes.count {
        var start = base + tail
        let address = try input.payload(end: base + addressEnd, tail: base + tail, from: &start)
        try check(address.count == addressSize, "An address has another size.")
        let first = address.lowerBound + 4
        let identity = try input.text(end: base + identityEnd, tail: base + tail, from: &start)
        let userid = try input.text(end: base + useridEnd, tail: base + tail, from: &start)
        let date = try input.text(end: base + dateEnd, tail: base + tail, from: &start)
        let request = try input.text(end: base + requestEnd, tail: base + tail, from: &start)
        logs.append(
          LogRecord(
            address: LogRecord.Address(
              x0: try input.load(UInt8.self, at: first),
              x1: try input.load(UInt8.self, at: first + 1),
              x2: try input.load(UInt8.self, at: first + 2),
              x3: try input.load(UInt8.self, at: first + 3)),
            identity: identity, userid: userid, date: date, request: request,
            code: try input.load(UInt16.self, at: base + code),
            size: try input.load(UInt64.self, at: base + size)))
        base = (start + 7) & ~7
      }
      return LogRecords(logs: logs)
    }
  }

  /// Reads three fields of each record; the payloads are only followed to the end of the record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var sum: UInt64 = 0
      var base = 0
      while base < bytes.count {
        var start = base + tail
        for end in [addressEnd, identityEnd, useridEnd] {
          _ = try input.payload(end: base + end, tail: base + tail, from: &start)
        }
        let date = try input.payload(end: base + dateEnd, tail: base + tail, from: &start)
        _ = try input.payload(end: base + requestEnd, tail: base + tail, from: &start)
        sum &+= UInt64(try input.load(UInt16.self, at: base + code))
        sum &+= try input.load(UInt64.self, at: base + size)
        sum &+= UInt64(date.count)
        base = (start + 7) & ~7
      }
      return sum
    }
  }
}
