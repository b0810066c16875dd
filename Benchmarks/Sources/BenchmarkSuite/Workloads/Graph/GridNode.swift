import KeepsakeArchive

/// A node of a grid that refers to its four neighbours and to a style that a hundred nodes share: a graph
/// full of cycles and shared objects.
final class GridNode: ArchiveObject {
  static let archiveTypeName = "Node"

  let name: String
  let weight: Double
  var north: GridNode?
  var east: GridNode?
  var south: GridNode?
  var west: GridNode?
  var style: GridStyle?

  init(name: String, weight: Double) {
    self.name = name
    self.weight = weight
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encode(weight, forKey: "weight")
    coder.encodeReference(north, forKey: "north")
    coder.encodeReference(east, forKey: "east")
    coder.encodeReference(south, forKey: "south")
    coder.encodeReference(west, forKey: "west")
    coder.encodeReference(style, forKey: "style")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(String.self, forKey: "name")
    weight = try coder.decode(Double.self, forKey: "weight")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    north = try coder.decodeReference(GridNode.self, forKey: "north")
    east = try coder.decodeReference(GridNode.self, forKey: "east")
    south = try coder.decodeReference(GridNode.self, forKey: "south")
    west = try coder.decodeReference(GridNode.self, forKey: "west")
    style = try coder.decodeReference(GridStyle.self, forKey: "style")
  }
}

/// A style that many nodes share.
final class GridStyle: ArchiveObject {
  static let archiveTypeName = "Style"

  let name: String

  init(name: String) {
    self.name = name
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(String.self, forKey: "name")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {}
}
