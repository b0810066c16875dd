import KeepsakeArchive

/// A node of a grid that knows its four neighbours and a style that a hundred nodes share: cycles
/// everywhere, and sharing.
final class GridNode: ArchivableObject {
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

  func encode(with coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encode(weight, forKey: "weight")
    coder.encodeObject(north, forKey: "north")
    coder.encodeObject(east, forKey: "east")
    coder.encodeObject(south, forKey: "south")
    coder.encodeObject(west, forKey: "west")
    coder.encodeObject(style, forKey: "style")
  }

  init(forArchive decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
    weight = try decoder.decode(Double.self, forKey: "weight")
  }

  func decode(from decoder: borrowing ObjectDecoder) throws {
    north = try decoder.decodeObject(GridNode.self, forKey: "north")
    east = try decoder.decodeObject(GridNode.self, forKey: "east")
    south = try decoder.decodeObject(GridNode.self, forKey: "south")
    west = try decoder.decodeObject(GridNode.self, forKey: "west")
    style = try decoder.decodeObject(GridStyle.self, forKey: "style")
  }
}

/// What many nodes share.
final class GridStyle: ArchivableObject {
  static let archiveTypeName = "Style"

  let name: String

  init(name: String) {
    self.name = name
  }

  func encode(with coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
  }

  init(forArchive decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
  }

  func decode(from decoder: borrowing ObjectDecoder) throws {}
}
