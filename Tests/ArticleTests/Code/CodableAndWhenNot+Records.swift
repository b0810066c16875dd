import Foundation
import KeepsakeArchive
import KeepsakeCodable

struct Trip: ArchiveRecord, Equatable {
  static var archiveTypeName: String { "Trip" }
  var id: UUID
  var cities: [String]
  var kilometers: [Double]

  init(id: UUID, cities: [String], kilometers: [Double]) {
    self.id = id
    self.cities = cities
    self.kilometers = kilometers
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(cities, forKey: "cities")
    coder.encode(kilometers, forKey: "kilometers")
  }

  init(from coder: borrowing ObjectDecoder)
    throws(ArchiveError)
  {
    id = try coder.decode(forKey: "id")
    cities = try coder.decode(forKey: "cities")
    kilometers = try coder.decode(
      forKey: "kilometers", default: [])
  }
}

func archiveTrips(_ trips: [Trip]) throws -> [UInt8] {
  var writer = ArchiveWriter()
  try writer.writeObjects(
    trips, typeName: Trip.archiveTypeName)
  return try writer.finish(root: ArchiveObjectID(1))
}

func readTrips(_ bytes: [UInt8]) throws -> [Trip] {
  try Archive(bytes).decodeObjects(Trip.self)
}

func citiesSeen(in bytes: [UInt8]) throws -> Set<String> {
  var cities: Set<String> = []
  try Archive(bytes).forEachObject { trip in
    cities.formUnion(
      try trip.decode([String].self, forKey: "cities"))
  }
  return cities
}
