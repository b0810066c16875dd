import BenchmarkHarness

/// `log` in the record layout of an archive (Spec/archive.md, 4.4), by code that knows nothing else.
///
/// No keys, no tables, no directory: what the generality of the keyed coder is held against. Reading
/// is as careful as Keepsake's: every range is checked and every string is validated.
enum HardLog {
  // The head, the slots in the order of writing, the ends of the payloads.
  private static let code = 4
  private static let size = 6
  private static let ends = 14
  // The payload of the address is a record of its own, with the number of another shape.
  private static let addressSize = 8

  static func encode(_ records: LogRecords) -> [UInt8] {
    var output = RawOutput(capacity: records.logs.count * 128)
    for log in records.logs {
      let base = output.count
      let length =
        addressSize + log.identity.utf8.count + log.userid.utf8.count + log.date.utf8.count
        + log.request.utf8.count
      let width: UInt32 = length < 1 << 8 ? 0 : length < 1 << 16 ? 1 : 2
      let tail = base + ends + 5 << Int(width)
      output.appendZeros(tail - base + addressSize)
      output.store(width, at: base)
      output.store(log.code, at: base + code)
      output.store(log.size, at: base + size)
      output.store(1 << 2 as UInt32, at: tail)
      output.store(log.address.x0, at: tail + 4)
      output.store(log.address.x1, at: tail + 5)
      output.store(log.address.x2, at: tail + 6)
      output.store(log.address.x3, at: tail + 7)
      output.store(end: addressSize, 0, width: width, at: base + ends)
      output.append(log.identity)
      output.store(end: output.count - tail, 1, width: width, at: base + ends)
      output.append(log.userid)
      output.store(end: output.count - tail, 2, width: width, at: base + ends)
      output.append(log.date)
      output.store(end: output.count - tail, 3, width: width, at: base + ends)
      output.append(log.request)
      output.store(end: output.count - tail, 4, width: width, at: base + ends)
    }
    return output.bytes
  }

  /// The width of the ends of a record, and where its payloads begin.
  @inline(__always)
  private static func head(of base: Int, _ input: RawInput) throws -> (width: UInt32, tail: Int) {
    let width = try input.load(UInt32.self, at: base)
    try check(width < 3, "A record has another shape.")
    return (width, base + ends + 5 << Int(width))
  }

  static func decode(_ bytes: [UInt8]) throws -> LogRecords {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var logs: [LogRecord] = []
      logs.reserveCapacity(bytes.count / 88)
      var start = 0
      while start < bytes.count {
        let base = start
        let (width, tail) = try head(of: base, input)
        start = tail
        func next(_ index: Int) throws -> Range<Int> {
          try input.payload(index, width: width, at: base + ends, tail: tail, from: &start)
        }
        let address = try next(0)
        try check(address.count == addressSize, "An address has another size.")
        try check(
          input.load(UInt32.self, at: address.lowerBound) == 1 << 2, "An address has another shape."
        )
        let first = address.lowerBound + 4
        let identity = try input.text(in: next(1))
        let userid = try input.text(in: next(2))
        let date = try input.text(in: next(3))
        let request = try input.text(in: next(4))
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
      }
      return LogRecords(logs: logs)
    }
  }

  /// Reads three fields of each record; the payloads are only followed to the end of the record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var sum: UInt64 = 0
      var start = 0
      while start < bytes.count {
        let base = start
        let (width, tail) = try head(of: base, input)
        start = tail
        for index in 0..<3 {
          _ = try input.payload(index, width: width, at: base + ends, tail: tail, from: &start)
        }
        let date = try input.payload(3, width: width, at: base + ends, tail: tail, from: &start)
        _ = try input.payload(4, width: width, at: base + ends, tail: tail, from: &start)
        sum &+= UInt64(try input.load(UInt16.self, at: base + code))
        sum &+= try input.load(UInt64.self, at: base + size)
        sum &+= UInt64(date.count)
      }
      return sum
    }
  }
}
