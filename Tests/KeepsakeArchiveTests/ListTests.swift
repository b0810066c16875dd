import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Lists of values that are each an object` {
  private let lines: [Line] = (0..<500).map { (index: Int) -> Line in
    let end: Point? = index % 3 == 0 ? nil : Point(x: 0, y: 7)
    return Line(
      start: Point(x: Double(index), y: -1), end: end, color: index % 2 == 0 ? .red : .green)
  }

  @Test func `A list has the bytes of its values written one by one`() throws {
    var list = ArchiveWriter()
    try list.writeObjects(lines, typeName: "Line", schemaVersion: 3)
    var single = ArchiveWriter()
    for line in lines {
      try single.writeObject(single.nextObjectID, typeName: "Line", schemaVersion: 3) {
        line.encode(to: &$0)
      }
    }
    let bytes = try list.finish(root: first)
    #expect(try bytes == single.finish(root: first))
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.decodeObjects(Line.self) == lines)
  }

  @Test func `The objects of a list have the given type name`() throws {
    var writer = ArchiveWriter()
    try writer.writeObjects([Point(x: 1, y: 2)], typeName: "Point")
    let point = try Archive(writer.finish(root: first)).object(first)
    let name = point.typeName
    #expect(name == "Point")
  }

  @Test func `An empty type name is refused, and an empty list writes nothing`() throws {
    var writer = ArchiveWriter()
    let unnamed = archiveError { try writer.writeObjects(lines, typeName: "") }
    #expect(unnamed?.code == .invalidTypeName)
    try writer.writeObjects([Line](), typeName: "Line")
    #expect(writer.nextObjectID == first)
  }

  @Test func `A value that cannot be written does not remove the values before it`() throws {
    var writer = ArchiveWriter(limits: limits)
    let deep = Chain(length: 9)
    let error = archiveError {
      try writer.writeObjects([Chain(length: 1), deep, deep], typeName: "Chain")
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.objectID == second)
    try writer.writeObjects([Chain(length: 2)], typeName: "Chain")
    let chains = try Archive(writer.finish(root: first)).decodeObjects(Chain.self)
    #expect(chains.map(\.length) == [1, 2])
  }

  @Test func `The error of an object of another kind names the object and the key`() throws {
    var writer = ArchiveWriter()
    try writer.writeObjects([Point(x: 1, y: 2)], typeName: "Point")
    try writer.writeObject(second, typeName: "Other") { $0.encode("x", forKey: "x") }
    let archive = try Archive(writer.finish(root: first))
    let error = archiveError { _ = try archive.decodeObjects(Point.self) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.objectID == second)
    #expect(error?.keyPath == ["x"])
  }

  private var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.nestingDepth = 4
    return limits
  }
}

/// Records in records.
private struct Chain: ArchiveRecord {
  static let archiveTypeName = "Chain"
  let length: Int
  private let next: [Chain]

  init(length: Int) {
    self.length = length
    next = length > 1 ? [Chain(length: length - 1)] : []
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(length, forKey: "length")
    coder.encode(next, forKey: "next")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    length = try coder.decode(forKey: "length")
    next = try coder.decode(forKey: "next")
  }
}
