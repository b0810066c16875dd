import Foundation
import KeepsakeCodable

struct Journey: Codable, Equatable {
  var id = UUID()
  var start = Date(timeIntervalSince1970: 1_800_000_000)
  var legs: [Leg] = []

  struct Leg: Codable, Equatable {
    var city: String
    var kilometers: Double
  }
}

func encodeJourney(_ journey: Journey) throws -> Data {
  try ArchiveEncoder().encode(journey)
}

func decodeJourney(_ data: Data) throws -> Journey {
  try ArchiveDecoder().decode(Journey.self, from: data)
}

struct Track: Codable, Equatable, ValueWithDefaults {
  var title = ""
  var stars = 3  // The first version had no stars.

  static var defaults: Track { Track() }
}

func decodeTracks(_ data: Data) throws -> [Track] {
  try ArchiveDecoder().decode([Track].self, from: data)
}
