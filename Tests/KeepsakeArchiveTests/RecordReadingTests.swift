import KeepsakeArchive
import Testing

/// Reads one key of a record that another type writes.
private struct Peek: ArchiveDecodableRecord, Equatable {
  var name: String

  init(_ name: String) { self.name = name }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    name = try coder.decode(forKey: "name")
  }
}

@Suite struct `Records that are read in part` {
  private struct Full: ArchiveRecord {
    var name: String
    var size: Int

    init(_ name: String, _ size: Int) { (self.name, self.size) = (name, size) }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(name, forKey: "name")
      coder.encode(size, forKey: "size")
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      name = try coder.decode(forKey: "name")
      size = try coder.decode(forKey: "size")
    }
  }

  @Test func `A type that can only be decoded reads objects and nested records`() throws {
    var writer = ArchiveWriter()
    try writer.writeObjects([Full("a", 1), Full("b", 2)], typeName: "Full")
    let bytes = try writer.finish(root: first)
    #expect(try Archive(bytes).decodeObjects(Peek.self) == [Peek("a"), Peek("b")])
    let object = try archive { $0.encode(Full("c", 3), forKey: "inner") }.object(first)
    #expect(try object.decodeRecord(Peek.self, forKey: "inner") == Peek("c"))
    let absent = archiveError { _ = try object.decodeRecord(Peek.self, forKey: "other") }
    #expect(absent?.code == .absentKey && absent?.keyPath == ["other"])
    let wrong = try archive { $0.encode(1, forKey: "inner") }.object(first)
    let mismatch = archiveError { _ = try wrong.decodeRecord(Peek.self, forKey: "inner") }
    #expect(mismatch?.code == .typeMismatch && mismatch?.keyPath == ["inner"])
  }

  @Test func `The records of an array are lent one after the other`() throws {
    let list = (0..<100).map { Full("\($0)", $0) }
    let object = try archive { coder in
      coder.encode(list, forKey: "list")
      coder.encode([Full](), forKey: "empty")
      coder.encode([Full("x", 1), nil] as [Full?], forKey: "gaps")
      coder.encode([1, 2], forKey: "numbers")
    }.object(first)
    var sizes: [Int] = []
    try object.forEachRecord(forKey: "list") { record in
      sizes.append(try record.decode(forKey: "size"))
    }
    #expect(sizes == Array(0..<100))
    try object.forEachRecord(forKey: "empty") { _ in Issue.record("the list has an element") }
    for (key, code, path) in [
      ("gaps", ArchiveError.Code.nullValue, ["gaps", "[1]"]),
      ("numbers", .typeMismatch, ["numbers", "[0]"]), ("absent", .absentKey, ["absent"]),
    ] {
      let error = archiveError { try object.forEachRecord(forKey: ArchiveKey(key)) { _ in } }
      #expect(error?.code == code && error?.keyPath == path)
      #expect(error?.objectID == first)
    }
    let inner = archiveError {
      try object.forEachRecord(forKey: "list") { record in
        if try record.decode(Int.self, forKey: "size") == 7 {
          _ = try record.decode(Int.self, forKey: "none")
        }
      }
    }
    #expect(inner?.code == .absentKey && inner?.keyPath == ["list", "[7]", "none"])
  }

  @Test func `A default replaces an absent key and a nil, and nothing else`() throws {
    let object = try archive { coder in
      coder.encode(3, forKey: "there")
      coder.encode(nil as Int?, forKey: "nil")
      coder.encode("text", forKey: "text")
    }.object(first)
    #expect(try object.decode(forKey: "there", default: 7) == 3)
    #expect(try object.decode(forKey: "nil", default: 7) == 7)
    #expect(try object.decode(forKey: "absent", default: 7) == 7)
    let error = archiveError { _ = try object.decode(Int.self, forKey: "text", default: 7) }
    #expect(error?.code == .typeMismatch && error?.keyPath == ["text"])
  }

  @Test func `Bits and texts are read from slots of their tag that are not nil`() throws {
    let object = try archive { coder in
      coder.encode(7 as Int64, forKey: "seven")
      coder.encode(nil as Int64?, forKey: "nil")
      coder.encode("text", forKey: "text")
      coder.encode(nil as String?, forKey: "nil text")
    }.object(first)
    #expect(object.fields.bits(.int64, forKey: "seven") == 7)
    #expect(object.fields.text(forKey: "text") == "text")
    for key in ["nil", "absent", "text", "nil text"] {
      #expect(object.fields.bits(.int64, forKey: key) == nil)
    }
    #expect(object.fields.bits(.double, forKey: "seven") == nil)
    for key in ["nil", "absent", "seven", "nil text"] {
      #expect(object.fields.text(forKey: key) == nil)
    }
  }
}
