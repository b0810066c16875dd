import BenchmarkHarness

/// `log` in the record layout of an archive (Spec/archive.md, 4.4), by code that knows nothing else.
///
/// No keys, no tables, no directory: what the generality of the keyed coder is held against. Reading
/// is as careful as Keepsake's: every range is checked and every string is validated.
enum HardLog {
  // The slots of eight bytes in key order, then the one of two, then padding.
  static let addressSlot = 8
  static let dateSlot = 16
  static let identitySlot = 24
  static let requestSlot = 32
  static let sizeSlot = 40
  static let useridSlot = 48
  static let codeSlot = 56
  static let fixedSize = 64
  static let addressSize = 16

  static func encode(_ records: LogRecords) -> [UInt8] {
    var output = RawOutput(capacity: records.logs.count * 160)
    for log in records.logs {
      let base = output.count
      output.appendZeros(fixedSize + addressSize)
      output.store(
        UInt64(addressSize) << 32 | UInt64(fixedSize / 8) << 1 | 1, at: base + addressSlot)
      let address = base + fixedSize + 8
      output.store(log.address.x0, at: address)
      output.store(log.address.x1, at: address + 1)
      output.store(log.address.x2, at: address + 2)
      output.store(log.address.x3, at: address + 3)
      output.append(log.date, slot: base + dateSlot, base: base)
      output.append(log.identity, slot: base + identitySlot, base: base)
      output.append(log.request, slot: base + requestSlot, base: base)
      output.append(log.userid, slot: base + useridSlot, base: base)
      output.store(log.size, at: base + sizeSlot)
      output.store(log.code, at: base + codeSlot)
    }
    return output.bytes
  }

  static func decode(_ bytes: [UInt8]) throws -> LogRecords {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var logs: [LogRecord] = []
      logs.reserveCapacity(bytes.count / 128)
      var base = 0
      while base < bytes.count {
        let address = try input.tail(slot: base + addressSlot, base: base)
        try check(address.count == addressSize, "An address has another size.")
        var end = address.upperBound
        let date = try input.string(slot: base + dateSlot, base: base, end: &end)
        let identity = try input.string(slot: base + identitySlot, base: base, end: &end)
        let request = try input.string(slot: base + requestSlot, base: base, end: &end)
        let userid = try input.string(slot: base + useridSlot, base: base, end: &end)
        let first = address.lowerBound + 8
        logs.append(
          LogRecord(
            address: LogRecord.Address(
              x0: try input.load(UInt8.self, at: first),
              x1: try input.load(UInt8.self, at: first + 1),
              x2: try input.load(UInt8.self, at: first + 2),
              x3: try input.load(UInt8.self, at: first + 3)),
            identity: identity, userid: userid, date: date, request: request,
            code: try input.load(UInt16.self, at: base + codeSlot),
            size: try input.load(UInt64.self, at: base + sizeSlot)))
        base = (end + 7) & ~7
      }
      return LogRecords(logs: logs)
    }
  }

  /// Reads three fields of each record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var sum: UInt64 = 0
      var base = 0
      while base < bytes.count {
        let address = try input.tail(slot: base + addressSlot, base: base)
        var end = address.upperBound
        for slot in [dateSlot, requestSlot] {
          end = max(end, try input.tail(slot: base + slot, base: base).upperBound)
        }
        sum &+= UInt64(try input.load(UInt16.self, at: base + codeSlot))
        sum &+= try input.load(UInt64.self, at: base + sizeSlot)
        sum &+= UInt64(try input.load(UInt8.self, at: address.lowerBound + 11))
        base = (end + 7) & ~7
      }
      return sum
    }
  }
}
