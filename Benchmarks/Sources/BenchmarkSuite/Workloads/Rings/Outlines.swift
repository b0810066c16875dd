import KeepsakeArchive

/// The rings in the form of GeoJSON: each point is an array of two numbers.
struct Outlines: Codable, Equatable, Sendable {
  struct Outline: Codable, Equatable, Sendable {
    var coordinates: [[Double]] = []
  }

  var outlines: [Outline] = []
}

extension Outlines {
  init(_ rings: Rings) {
    outlines = rings.rings.map { ring in
      Outline(coordinates: ring.points.map { [$0.x, $0.y] })
    }
  }

  /// The bytes of all numbers.
  var payloadSize: Int { outlines.reduce(0) { $0 + 16 * $1.coordinates.count } }
}

extension Outlines.Outline: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(coordinates, forKey: "coordinates")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    coordinates = try coder.decode(forKey: "coordinates")
  }
}

extension Outlines {
  /// An archive with one object for each outline.
  func archive() throws -> [UInt8] {
    try Records.archive(outlines, typeName: "Outline")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(outlines: try Records.unarchive(bytes))
  }
}

extension Outlines: MessageConvertible {
  var message: PBOutlines {
    var message = PBOutlines()
    message.outlines = outlines.map { outline in
      var part = PBOutline()
      part.coordinates = outline.coordinates.map { numbers in
        var pair = PBPair()
        pair.numbers = numbers
        return pair
      }
      return part
    }
    return message
  }

  init(_ message: PBOutlines) {
    self.init(
      outlines: message.outlines.map { part in
        Outline(coordinates: part.coordinates.map(\.numbers))
      })
  }
}
