import CommandSupport
import Foundation
import Keepsake
import Testing

/// The archives of Spec/Vectors, each with the outcome of its reading.
func archiveVectors() throws -> [(outcome: Substring, bytes: [UInt8])] {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/archive")
  let list = try String(contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
  return try list.split(separator: "\n").map { line in
    let columns = line.split(separator: "\t")
    let file = folder.appendingPathComponent(String(columns[0]))
    return (columns[1], Array(try Data(contentsOf: file)))
  }
}

@Suite struct `The fields of stored values` {
  private let first = ArchiveObjectID(1)

  private func archive(_ body: (inout ObjectEncoder) -> Void) throws -> Archive {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { body(&$0) }
    return try Archive(writer.finish())
  }

  private func fields(
    of place: ValuePlace, named name: String = "", before end: Int = .max
  ) throws -> [StoredField] {
    try place.storedFields(named: name, before: end) { scopes, key in
      (scopes + [key.name]).joined(separator: ".")
    }
  }

  @Test func `Every byte of every object in the vectors is in one field with a name`() throws {
    var objectCount = 0
    for (index, vector) in try archiveVectors().enumerated() where vector.outcome != "refused" {
      let archive = try Archive(vector.bytes)
      for number in 0..<archive.objectCount {
        let place = try archive.place(of: ArchiveObjectID(UInt32(number + 1)))
        let fields = try fields(of: place)
        var offset = place.range.lowerBound
        var isComplete = true
        for field in fields {
          if field.range.lowerBound != offset || field.name.isEmpty { isComplete = false }
          offset = field.range.upperBound
        }
        #expect(isComplete && offset == place.range.upperBound, "line \(index + 1), #\(number + 1)")
        objectCount += 1
      }
    }
    #expect(objectCount > 400)
  }

  @Test func `The fields of an object are named by its keys and the parts of its containers`()
    throws
  {
    let archive = try archive { coder in
      coder.encode("All", forKey: "title")
      coder.encode(true, forKey: "open")
      coder.encode(7 as UInt16?, forKey: "count")
      coder.encode(["a", "bc"], forKey: "names")
      coder.encode([1, nil] as [Int32?], forKey: "votes")
      coder.encode([1: "x"] as [Int8: String], forKey: "menu")
    }
    let place = try archive.place(of: first)
    let names = Set(try fields(of: place).map(\.name))
    let expected = [
      "payload title: String", "end of title", "names: count", "names: ends",
      "payload names[1]: String", "votes: nil bits", "payload menu: length of the keys",
    ]
    #expect(names.isSuperset(of: expected), "\(names.sorted())")
    let votes = try #require(try place.value { $1.name == "votes" })
    let whole = try fields(of: votes, named: "votes")
    #expect(whole.first?.range.lowerBound == votes.range.lowerBound)
    let some = try fields(of: votes, named: "votes", before: whole[2].range.lowerBound)
    #expect(some.map(\.name) == Array(whole.map(\.name).prefix(2)))
  }

  @Test func `The numbers of a long array have a field for the zero bytes on both sides`() throws {
    let archive = try archive { $0.encode((0..<40).map { Double($0) }, forKey: "curve") }
    let names = Set(try fields(of: archive.place(of: first)).map(\.name))
    #expect(
      names.isSuperset(of: [
        "curve: z", "curve: zero bytes", "curve[0]: Double", "curve[39]: Double",
      ]))
  }
}
