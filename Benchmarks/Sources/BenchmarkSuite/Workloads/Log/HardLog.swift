import BenchmarkHarness

/// The archive of `log` by code for this layout only, which shows the cost of the keyed coder's generality.
enum HardLog {
  private static let address = 0
  private static let log = 1
  private static let shapes = [
    HardShape(
      slots: [
        .init("x0", .uint8), .init("x1", .uint8), .init("x2", .uint8), .init("x3", .uint8),
      ]),
    HardShape(
      typeName: "Log",
      slots: [
        .init("address", cell: address), .init("identity", .string), .init("userid", .string),
        .init("date", .string), .init("request", .string), .init("code", .uint16),
        .init("size", .uint64),
      ]),
  ]

  // The slots of a body: an address inline, a code and a size.
  private static let code = 4
  private static let size = 6
  private static let slots = 14

  static func encode(_ records: LogRecords) -> [UInt8] {
    var writer = HardArchiveWriter(
      shapes: shapes, objectShape: log, capacity: records.logs.count * 104)
    for log in records.logs {
      _ = writer.tables.number(of: address)
      let texts =
        log.identity.utf8.count + log.userid.utf8.count + log.date.utf8.count
        + log.request.utf8.count
      var body = HardBody(&writer.output, slots: slots, payloads: 4, of: texts)
      writer.output.store(log.address.x0, at: body.start)
      writer.output.store(log.address.x1, at: body.start + 1)
      writer.output.store(log.address.x2, at: body.start + 2)
      writer.output.store(log.address.x3, at: body.start + 3)
      writer.output.store(log.code, at: body.start + code)
      writer.output.store(log.size, at: body.start + size)
      writer.output.append(log.identity)
      body.end(&writer.output)
      writer.output.append(log.userid)
      body.end(&writer.output)
      writer.output.append(log.date)
      body.end(&writer.output)
      writer.output.append(log.request)
      writer.endObject(at: body.start)
    }
    return writer.finish()
  }

  static func decode(_ bytes: [UInt8]) throws -> LogRecords {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      let reader = try HardArchiveReader(input, shapes: shapes, objectShape: log)
      var logs: [LogRecord] = []
      logs.reserveCapacity(reader.objectCount)
      try reader.forEachBody { body in
        let slots = try input.slots(of: body, count: slots)
        var texts = try HardPayloads(input, body, slots: Self.slots, count: 4)
        logs.append(
          LogRecord(
            address: LogRecord.Address(
              x0: slots.load(at: 0), x1: slots.load(at: 1), x2: slots.load(at: 2),
              x3: slots.load(at: 3)),
            identity: try texts.text(), userid: try texts.text(), date: try texts.text(),
            request: try input.text(in: texts.last), code: slots.load(at: code),
            size: slots.load(at: size)))
      }
      return LogRecords(logs: logs)
    }
  }

  /// Reads three fields of each record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      let reader = try HardArchiveReader(input, shapes: shapes, objectShape: log)
      var sum: UInt64 = 0
      try reader.forEachBody { body in
        let slots = try input.slots(of: body, count: slots)
        var texts = try HardPayloads(input, body, slots: Self.slots, count: 4)
        _ = try texts.next()
        _ = try texts.next()
        sum &+= UInt64(slots.load(UInt16.self, at: code)) &+ slots.load(UInt64.self, at: size)
        sum &+= UInt64(try texts.next().count)
      }
      return sum
    }
  }
}
