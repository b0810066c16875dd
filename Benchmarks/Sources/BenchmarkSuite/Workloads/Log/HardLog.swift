import BenchmarkHarness

/// `log` in the layout of an archive's segments (Spec/archive.md, 3.3 and 5.2), by code that knows nothing
/// else: what the generality of the keyed coder costs.
///
/// A segment is the length of its bodies, their number, the bodies, and where each but the last ends. There
/// are no keys and no tables. Reading is as careful as Keepsake's: every range is checked and every string
/// is validated.
enum HardLog {
  // The slots of a body: an address inline, a code and a size. Then where three of the four texts end.
  private static let code = 4
  private static let size = 6
  private static let ends = 14
  private static let headLength = 8
  private static let mostBytes = 65_535

  /// The width of numbers in something of a length.
  @inline(__always)
  private static func width(of length: Int) -> Int {
    length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4
  }

  static func encode(_ records: LogRecords) -> [UInt8] {
    var output = RawOutput(capacity: records.logs.count * 104)
    var bodyEnds: [Int] = []
    bodyEnds.reserveCapacity(mostBytes / ends)
    var head = output.count
    output.appendUninitialized(headLength)
    for log in records.logs {
      let texts =
        log.identity.utf8.count + log.userid.utf8.count + log.date.utf8.count
        + log.request.utf8.count
      let width = ends + texts + 3 < 1 << 8 ? 1 : ends + texts + 6 < 1 << 16 ? 2 : 4
      let tail = ends + 3 * width
      var base = output.count
      if base - head - headLength + tail + texts > mostBytes, !bodyEnds.isEmpty {
        close(&output, head, &bodyEnds)
        head = output.count
        output.appendUninitialized(headLength)
        base = output.count
      }
      output.appendUninitialized(tail)
      output.store(log.address.x0, at: base)
      output.store(log.address.x1, at: base + 1)
      output.store(log.address.x2, at: base + 2)
      output.store(log.address.x3, at: base + 3)
      output.store(log.code, at: base + code)
      output.store(log.size, at: base + size)
      output.append(log.identity)
      output.store(end: output.count - base - tail, width: width, at: base + ends)
      output.append(log.userid)
      output.store(end: output.count - base - tail, width: width, at: base + ends + width)
      output.append(log.date)
      output.store(end: output.count - base - tail, width: width, at: base + ends + 2 * width)
      output.append(log.request)
      bodyEnds.append(output.count - head - headLength)
    }
    close(&output, head, &bodyEnds)
    return output.bytes
  }

  private static func close(_ output: inout RawOutput, _ head: Int, _ bodyEnds: inout [Int]) {
    let length = bodyEnds.last ?? 0
    output.store(UInt32(truncatingIfNeeded: length), at: head)
    output.store(UInt32(truncatingIfNeeded: bodyEnds.count), at: head + 4)
    let width = width(of: length)
    var place = output.count
    output.appendUninitialized(max(bodyEnds.count - 1, 0) * width)
    for end in bodyEnds.dropLast() {
      output.store(end: end, width: width, at: place)
      place += width
    }
    bodyEnds.removeAll(keepingCapacity: true)
  }

  static func decode(_ bytes: [UInt8]) throws -> LogRecords {
    var logs: [LogRecord] = []
    logs.reserveCapacity(bytes.count / 64)
    try forEachBody(of: bytes) { input, body, width in
      let tail = body.lowerBound + ends + 3 * width
      var start = tail
      let place = body.lowerBound + ends
      func next(_ index: Int) throws -> String {
        let end = tail + (try input.end(at: place + index * width, width: width))
        return try input.text(in: input.range(from: &start, to: end, in: body))
      }
      let identity = try next(0)
      let userid = try next(1)
      let date = try next(2)
      let request = try input.text(in: start..<body.upperBound)
      logs.append(
        LogRecord(
          address: LogRecord.Address(
            x0: try input.load(UInt8.self, at: body.lowerBound),
            x1: try input.load(UInt8.self, at: body.lowerBound + 1),
            x2: try input.load(UInt8.self, at: body.lowerBound + 2),
            x3: try input.load(UInt8.self, at: body.lowerBound + 3)),
          identity: identity, userid: userid, date: date, request: request,
          code: try input.load(UInt16.self, at: body.lowerBound + code),
          size: try input.load(UInt64.self, at: body.lowerBound + size)))
    }
    return LogRecords(logs: logs)
  }

  /// Reads three fields of each record.
  static func sumLazily(_ bytes: [UInt8]) throws -> UInt64 {
    var sum: UInt64 = 0
    try forEachBody(of: bytes) { input, body, width in
      let place = body.lowerBound + ends
      let tail = place + 3 * width
      var start = tail + (try input.end(at: place + width, width: width))
      try check(start <= body.upperBound, "A text ends after its record.")
      let end = tail + (try input.end(at: place + 2 * width, width: width))
      let date = try input.range(from: &start, to: end, in: body)
      sum &+= UInt64(try input.load(UInt16.self, at: body.lowerBound + code))
      sum &+= try input.load(UInt64.self, at: body.lowerBound + size)
      sum &+= UInt64(date.count)
    }
    return sum
  }

  /// Goes through the bodies of all segments, each with the width of its ends.
  @inline(__always)
  private static func forEachBody(
    of bytes: [UInt8], _ read: (RawInput, Range<Int>, Int) throws -> Void
  ) throws {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      var head = 0
      while head < bytes.count {
        let length = Int(try input.load(UInt32.self, at: head))
        let count = Int(try input.load(UInt32.self, at: head + 4))
        let first = head + headLength
        let directory = first + length
        let width = width(of: length)
        try check(directory + max(count - 1, 0) * width <= bytes.count, "A segment is cut short.")
        var start = first
        for index in 0..<count {
          let end =
            index + 1 == count
            ? directory : first + (try input.end(at: directory + index * width, width: width))
          let body = try input.range(from: &start, to: end, in: first..<directory)
          let endWidth = Self.width(of: body.count)
          try check(body.count >= ends + 3 * endWidth, "A record is cut short.")
          try read(input, body, endWidth)
        }
        head = directory + max(count - 1, 0) * width
      }
    }
  }
}
