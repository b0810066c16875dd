import KeepsakeArchive

/// An archive with a shared object, a cycle, scopes, nested values, optionals and an object that
/// nothing refers to; numbered in key order, as a document writes it.
enum Sample {
  static func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter(
      reserved: ReservedValues(bundleVersion: "10.0", userInterfaceIdiom: 1))
    try writer.writeObject(.init(1), typeName: "List", template: "main") { coder in
      let contacts = [ArchiveReference(.init(2)), ArchiveReference(.init(3)), nil]
      coder.encode(contacts, forKey: "contacts")
      coder.encode(ArchiveReference(.init(3)), forKey: "selected")
      coder.encode(Point(x: 1, y: 2), forKey: "scroll")
      coder.encode(["a": [1, 2], "b": []], forKey: "groups")
    }
    try contact(&writer, 2, name: "Ada", friend: .init(3), phone: "555-0100", note: true)
    try contact(&writer, 3, name: "Grace", friend: .init(2), phone: nil, note: false)
    try contact(&writer, 4, name: "Nobody's", friend: nil, phone: nil, note: false)
    return try writer.finish(root: .init(1))
  }

  private static func contact(
    _ writer: inout ArchiveWriter, _ id: UInt32, name: String, friend: ArchiveObjectID?,
    phone: String?, note: Bool
  ) throws {
    try writer.writeObject(.init(id), typeName: "Contact", schemaVersion: 2) { coder in
      coder.encode(name, forKey: "nm")
      coder.encode(ArchiveReference(friend), forKey: "friend")
      coder.encode(phone, forKey: "phone")
      coder.encode(36, forKey: "age")
      if note {
        coder.withScope("Base") { $0.encode("a note that is longer than a slot", forKey: "note") }
      }
    }
  }
}

/// A nested record of two numbers.
private struct Point: ArchiveRecord {
  static let archiveTypeName = "Point"
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(forKey: "x")
    y = try coder.decode(forKey: "y")
  }
}
