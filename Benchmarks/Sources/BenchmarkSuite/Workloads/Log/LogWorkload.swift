import BenchmarkHarness

/// The 10,000 records of the `log` workload, checked against its published facts.
enum LogWorkload {
  static let recordCount = 10_000

  static func make() throws -> LogRecords {
    var random = PermutedCongruentialGenerator.published
    let count = recordCount + Int(random.next64(below: 1))
    let records = LogRecords(logs: (0..<count).map { _ in record(&random) })
    try verify(records)
    return records
  }

  private static func record(_ random: inout PermutedCongruentialGenerator) -> LogRecord {
    let date = date(&random)
    let method = random.element(of: methods)
    let route = random.element(of: routes)
    let request = "\(method) \(route) \(random.element(of: protocols))"
    let address = LogRecord.Address(
      x0: random.nextUInt8(), x1: random.nextUInt8(), x2: random.nextUInt8(),
      x3: random.nextUInt8())
    let userid = random.element(of: users)
    let code = random.element(of: codes)
    return LogRecord(
      address: address, identity: "-", userid: userid, date: date, request: request, code: code,
      size: random.next64(below: 100_000_000))
  }

  private static func date(_ random: inout PermutedCongruentialGenerator) -> String {
    let day = 1 + random.next32(below: 28)
    let month = random.element(of: months)
    let year = 1970 + random.next32(below: 52)
    let hour = random.next32(below: 24)
    let minute = random.next32(below: 60)
    let second = random.next32(below: 60)
    let zone = Int(random.next64(below: 25)) - 12
    let hours = "\(zone < 0 ? "-" : "+")\(abs(zone) < 10 ? "0" : "")\(abs(zone))"
    return "\(day)/\(month)/\(year):\(hour):\(minute):\(second) \(hours)00"
  }

  /// Checks the size and the hash of the records as compact JSON in field order.
  private static func verify(_ records: LogRecords) throws {
    let json = Array(compactJSON(records).utf8)
    try check(json.count == 1_827_461, "The log workload has \(json.count) bytes as JSON.")
    try check(records.fixedSize == 1_045_784, "The log workload has \(records.fixedSize) bytes.")
    let hash = Digest.sha256(json)
    try check(
      hash.hasPrefix("c64897766e9b94ca") && hash.hasSuffix("dc495b"),
      "The log workload differs from the published one.")
  }

  private static func compactJSON(_ records: LogRecords) -> String {
    let lines = records.logs.map { log in
      let a = log.address
      return #"{"address":{"x0":\#(a.x0),"x1":\#(a.x1),"x2":\#(a.x2),"x3":\#(a.x3)},"#
        + #""identity":"\#(log.identity)","userid":"\#(log.userid)","date":"\#(log.date)","#
        + #""request":"\#(log.request)","code":\#(log.code),"size":\#(log.size)}"#
    }
    return #"{"logs":["# + lines.joined(separator: ",") + "]}"
  }

  private static let users = [
    "-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let methods = ["GET", "POST", "PUT", "UPDATE", "DELETE"]
  private static let protocols = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]
  private static let routes = [
    "/favicon.ico", "/css/index.css", "/css/font-awsome.min.css", "/img/logo-full.svg",
    "/img/splash.jpg", "/api/login", "/api/logout",
  ]

  /// The 63 status codes of the workload; 427 and 430 are not assigned.
  private static let codes: [UInt16] =
    Array(100...103) + Array(200...208) + [226] + Array(300...308) + Array(400...418)
    + Array(421...426) + [428, 429, 431, 451] + Array(500...508) + [510, 511]
}
