import KeepsakeArchive

@Archivable
struct Point: Equatable {
  var x: Double
  var y = 0.5
}

@Archivable(typeName: "Contact", schemaVersion: 3)
struct Contact: Equatable {
  @Key("name", aliases: ["fullName", "title"]) var heading: String
  var note: String?
  @Default(7) var callCount: Int
  @Ignored var isSelected = false
  @Ignored var image: String?
  let places: [Point]
  var `default`: Bool
  var width = 1, height: Int16
  var area: Int { width * Int(height) }
  var tint = "blue" { didSet {} }
  static let shared = 3
  let constantIgnored: Int

  init(
    heading: String, note: String?, callCount: Int = 0, places: [Point] = [], isDefault: Bool = true
  ) {
    (self.heading, self.note, self.callCount, self.places) = (heading, note, callCount, places)
    (`default`, height, constantIgnored) = (isDefault, 2, 9)
  }
}

@Archivable
struct Pair<First: ArchiveValue, Second: ArchiveValue> {
  var first: First
  var second: Second?
}

/// An enumeration that contains two types.
///
/// One has a property with the name that the macro gives to the coder.
enum Outer {
  @Archivable(typeName: "Outer.Inner")
  struct Inner: Equatable {
    var value: UInt8
    var sibling = Sibling()
    var coder: String?
  }

  /// A type that code outside of `Outer` names as `Outer.Sibling`.
  @Archivable
  struct Sibling: Equatable { var note = "none" }
}

@Archivable
enum Order: String, CaseIterable { case byName, byDate }

@Archivable(schemaVersion: 1)
enum Route: Equatable {
  case home
  @Key("show", aliases: ["detail"]) case page(contact: String, isEditing: Bool?)
  indirect case both(Route, and: Route)
  case `repeat`(Int = 3)
}

@Archivable
enum Direction { case up, down }

@Archivable
final class Node {
  var name: String
  @ObjectReference var next: Node?
  @ObjectReference weak var owner: Node?
  @ObjectReference var others: [Node] = []

  init(_ name: String) { self.name = name }
}

@ArchivableClass(typeName: "Shape")
class Shape {
  var name: String
  @ObjectReference var peer: Shape?

  init(name: String) { self.name = name }
}

@ArchivableSubclass(typeName: "Circle", schemaVersion: 2)
final class Circle: Shape {
  @Key("name") var label: String
  var radius = 1.0

  init(name: String, label: String) {
    self.label = label
    super.init(name: name)
  }
}

/// A class that states its conformance itself.
@Archivable
final class Stated: ArchiveObject {
  var value = 4
  init() {}
}
