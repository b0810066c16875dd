import KeepsakeArchive

/// Outlines on a map: each ring is a list of points, each point a record of two numbers.
struct Rings: Codable, Equatable, Sendable {
  struct Point: Codable, Equatable, Sendable {
    var x: Double = 0
    var y: Double = 0
  }

  struct Ring: Codable, Equatable, Sendable {
    var points: [Point] = []
  }

  var rings: [Ring] = []
}

extension Rings {
  /// The bytes of all numbers.
  var payloadSize: Int { rings.reduce(0) { $0 + 16 * $1.points.count } }
}

extension Rings.Point: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(forKey: "x")
    y = try coder.decode(forKey: "y")
  }
}

extension Rings.Ring: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(points, forKey: "points")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    points = try coder.decode(forKey: "points")
  }
}

extension Rings {
  /// An archive with one object for each ring.
  func archive() throws -> [UInt8] {
    try Records.archive(rings, typeName: "Ring")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(rings: try Records.unarchive(bytes))
  }
}

extension Rings.Point {
  var message: PBRingPoint {
    var message = PBRingPoint()
    message.x = x
    message.y = y
    return message
  }

  init(_ message: PBRingPoint) {
    self.init(
      x: message.x,
      y: message.y)
  }
}

extension Rings.Ring {
  var message: PBRing {
    var message = PBRing()
    message.points = points.map(\.message)
    return message
  }

  init(_ message: PBRing) {
    self.init(
      points: message.points.map { Rings.Point($0) })
  }
}

extension Rings: MessageConvertible {
  var message: PBRings {
    var message = PBRings()
    message.rings = rings.map(\.message)
    return message
  }

  init(_ message: PBRings) {
    self.init(
      rings: message.rings.map { Rings.Ring($0) })
  }
}
