import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// A nested record of fixed width is stored inline, in a slot of the outer record (Spec/archive.md, 5.4).
@Suite struct `Records in slots` {
  private func point(_ x: UInt64, _ y: UInt64) -> DynamicValue {
    .record(
      .init(fields: [
        .init(key: "x", value: .unsigned(x, bitWidth: 8)),
        .init(key: "y", value: .unsigned(y, bitWidth: 8)),
      ]))
  }

  private func record(_ values: (String, DynamicValue)...) -> DynamicValue {
    .record(
      .init(fields: values.map { .init(key: ArchiveKey($0), value: $1) }))
  }

  /// The bytes of an object with one value, after the checks that apply to all values.
  private func bytes(_ value: DynamicValue) throws -> [UInt8] {
    let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    #expect(try archive.object(first).decode(DynamicValue.self, forKey: "v") == value)
    #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    #expect(try ArchiveDocument(archive).encoded() == bytes)
    return bytes
  }

  private func body(_ value: DynamicValue) throws -> [UInt8] {
    let bytes = try bytes(value)
    return Array(bytes[ArchiveMap(bytes).body()])
  }

  @Test func `An inline record takes the bytes of its values`() throws {
    #expect(try body(point(1, 2)) == [1, 2])
    #expect(try body(record(("a", point(1, 2)), ("b", point(3, 4)))) == [1, 2, 3, 4])
    // An inline record has its own bits, and the bits of the outer record continue after it.
    #expect(
      try body(record(("p", .bool(true)), ("q", record(("r", .bool(true)))), ("s", .bool(true))))
        == [3, 1])
    // Payloads come after them, whatever the order of the keys.
    #expect(
      try body(record(("a", .string("abc")), ("b", point(1, 2)), ("c", .string("de"))))
        == [1, 1, 2, 3, 97, 98, 99, 100, 101])
  }

  @Test func `A record is a payload if it can be nil, is a case, or has no bytes`() throws {
    let optional = try archiveBytes { coder in
      coder.encode(Point(x: 1, y: 2) as Point?, forKey: "v")
      coder.encode(nil as Point?, forKey: "w")
    }
    #expect(try Archive(optional).verdict() == .canonical)
    #expect(ArchiveMap(optional).shape(of: 1).payloadCount == 2)
    let inner = DynamicRecord(fields: [.init(key: "x", value: .unsigned(7, bitWidth: 8))])
    #expect(try body(.enumeration("on", inner)) == [0, 7])
    #expect(try body(record()) == [0])
  }

  @Test func `Inline records nest eight levels deep`() throws {
    var value = record(("x", .unsigned(7, bitWidth: 8)))
    for depth in 2...10 {
      value = record(("x", value))
      // The object's slot has up to eight nested records; with one more the value is a payload.
      let count = ArchiveMap(try bytes(value)).shape(of: 1).payloadCount
      #expect(count == (depth > 8 ? 1 : 0), "\(depth)")
    }
  }

  /// A record is written inline as soon as it begins, if the one before it was inline.
  @Test func `A record that differs from the one before it is moved out of its slot`() throws {
    let small: DynamicValue = .unsigned(1, bitWidth: 8)
    let parts: [DynamicValue] = [
      point(1, 2), record(("x", small)), record(("y", small), ("x", small)), record(),
      record(("x", small), ("y", small), ("z", small)),
      record(("x", small), ("y", .string("text"))), record(("x", .string("")), ("y", small)),
      record(("x", small), ("y", .null)), record(("x", .bool(true)), ("y", .bool(false))),
      record(("x", point(3, 4)), ("y", small)), record(("x", small), ("y", point(5, 6))),
      record(("x", small), ("y", record(("x", .string("deep"))))),
      record(("x", .array([small, small])), ("y", .set([small]))),
      record(("x", small), ("y", .array([point(7, 8), point(9, 10)]))),
      record(("x", .enumeration("on", .init(fields: []))), ("y", small)), .string("none"), .null,
    ]
    let values = parts.flatMap { left in
      parts.flatMap { right in
        [left, right].map { part in
          record(("a", point(11, 12)), ("b", record(("c", part), ("d", small))), ("e", small))
        }
      }
    }
    var writer = ArchiveWriter()
    for value in values {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode("before", forKey: "before")
        coder.encode(value, forKey: "v")
        coder.encode([2.5], forKey: "after")
      }
    }
    let archive = try Archive(try writer.finish(root: first))
    #expect(try archive.verdict() == .canonical)
    for (index, value) in values.enumerated() {
      let object = try archive.object(ArchiveObjectID(UInt32(index + 1)))
      #expect(try object.decode(DynamicValue.self, forKey: "v") == value, "\(index)")
      #expect(try object.decode(String.self, forKey: "before") == "before")
      #expect(try object.decode([Double].self, forKey: "after") == [2.5])
    }
  }

  /// All integers of a record share one width, which may differ from that of the record before it.
  @Test func `Inline records have integers of the width that they need`() throws {
    struct Pair: ArchiveRecord, Equatable {
      var x: Int
      var y: UInt

      func encode(to coder: inout ObjectEncoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
      }

      init(x: Int, y: UInt) { (self.x, self.y) = (x, y) }

      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        self.init(x: try coder.decode(forKey: "x"), y: try coder.decode(forKey: "y"))
      }
    }
    let small = Pair(x: -1, y: 2)
    let parts = [small, Pair(x: .min, y: 0), Pair(x: 1, y: .max), Pair(x: .max, y: 1 << 32)]
    let pairs = parts.flatMap { left in parts.flatMap { right in [left, small, right] } }
    var writer = ArchiveWriter()
    for pair in pairs {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode("before", forKey: "before")
        coder.encode(pair, forKey: "v")
      }
    }
    let archive = try Archive(try writer.finish(root: first))
    #expect(try archive.verdict() == .canonical)
    for (index, pair) in pairs.enumerated() {
      let object = try archive.object(ArchiveObjectID(UInt32(index + 1)))
      #expect(try object.decode(Pair.self, forKey: "v") == pair)
    }
  }

  @Test func `An inline record is read as its own type and as no other`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(Point(x: 1, y: 2), forKey: "v")
      coder.encode([Point(x: 3, y: 4), Point(x: 5, y: 6)], forKey: "w")
      coder.encode("text", forKey: "z")
    }
    let object = try Archive(bytes).object(first)
    #expect(try object.decode(Point.self, forKey: "v") == Point(x: 1, y: 2))
    #expect(try object.decode(Point?.self, forKey: "v") == Point(x: 1, y: 2))
    #expect(try object.decode([Point].self, forKey: "w").last == Point(x: 5, y: 6))
    #expect(readError(bytes, String.self)?.code == .typeMismatch)
    let error = #expect(throws: ArchiveError.self) { try object.decode(Route.self, forKey: "v") }
    #expect(error?.code == .typeMismatch && error?.keyPath == ["v"])
  }

  /// A record whose shape was declared before there were 4,096 shapes stays inline; one that needs a new shape then
  /// is a payload.
  @Test(arguments: 4_091...4_098)
  func `Inline records make no new shapes once there are 4,096`(_ count: Int) throws {
    var writer = ArchiveWriter()
    func write(_ key: String, _ text: String, to writer: inout ArchiveWriter) throws {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(text, forKey: "text")
        coder.encode(Point(x: 1, y: 2), forKey: ArchiveKey(key))
        coder.encode(true, forKey: "flag")
        coder.encode(nil as Int8?, forKey: "none")
        coder.encode([1.5], forKey: "numbers")
      }
    }
    try write("early", "a", to: &writer)
    for index in 0..<count - 3 {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(UInt8(1), forKey: ArchiveKey("\(index)"))
      }
    }
    let late = writer.nextObjectID
    try write("late", "b", to: &writer)
    try write("early", "c", to: &writer)
    try write("late", "d", to: &writer)
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    let isInline = map.shapes.count - 1 < 4_096
    #expect(map.shape(of: Int(late.rawValue)).payloadCount == (isInline ? 2 : 3))
    #expect(map.shape(of: Int(late.rawValue) + 1).payloadCount == 2)
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    for (id, text, key) in [(1, "a", "early"), (Int(late.rawValue), "b", "late")] {
      let object = try archive.object(ArchiveObjectID(UInt32(id)))
      #expect(try object.decode(String.self, forKey: "text") == text)
      #expect(try object.decode(Point.self, forKey: ArchiveKey(key)) == Point(x: 1, y: 2))
      #expect(try object.decode(Bool.self, forKey: "flag"))
      #expect(try object.decode(Int8?.self, forKey: "none") == nil)
      #expect(try object.decode([Double].self, forKey: "numbers") == [1.5])
    }
  }

  @Test func `A payload that could be an inline record is not canonical`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(Point(x: 1, y: 2) as Point?, forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let slot = map.shape(of: 1).slots[0]
    let changed = patched(
      bytes, at: slot.row + 1, byteCount: 1, UInt64(bytes[slot.row + 1] & ~1))
    let body = Array(bytes[map.record(1)])
    let without = ArchiveMap(changed).replacingLastRecord(with: Array(body.dropFirst()))
    #expect(verifyError(without)?.code == .nonCanonical)
    #expect(try Archive(without).object(first).decode(Point.self, forKey: "v") == Point(x: 1, y: 2))
  }

  /// Once there are 4,096 shapes, a record is a payload only if its slot would need a new one.
  @Test
  func `A payload after 4,096 shapes is not canonical if its inline shape is declared`() throws {
    func write(_ key: ArchiveKey, to writer: inout ArchiveWriter) throws -> ArchiveObjectID {
      let id = writer.nextObjectID
      try writer.writeObject(id, typeName: "T") { coder in
        // A reader that took the byte of this text for the number of a shape would find one of fixed width.
        coder.encode("b", forKey: "text")
        coder.encode(Point(x: 1, y: 2), forKey: key)
        coder.encode(Point(x: 3, y: 4) as Point?, forKey: "maybe")
        coder.encode(true, forKey: "flag")
      }
      return id
    }
    var writer = ArchiveWriter()
    _ = try write("early", to: &writer)
    for key in ["late"] + (0..<4_096).map({ "\($0)" }) {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(UInt8(1), forKey: ArchiveKey(key))
      }
    }
    let late = try write("late", to: &writer)
    let bytes = try writer.finish(root: first)
    #expect(verifyError(bytes) == nil)
    let map = ArchiveMap(bytes)
    #expect(map.shape(of: Int(late.rawValue)).payloadCount == 3)
    // The keys are now those of the first object.
    let early = try #require(map.keyNames.firstIndex(of: "early"))
    let slots = map.shape(of: Int(late.rawValue)).slots
    let row = try #require(slots.first { $0.key == "late" }).row
    let word = UInt64(map.word(row) & 0xFFF | early << 12)
    let error = verifyError(patched(bytes, at: row, byteCount: 4, word))
    #expect(error?.code == .nonCanonical && error?.objectID == late)
    #expect(map.record(Int(late.rawValue)).contains(error?.offset ?? 0))
  }

  /// A record in a payload is canonical unless the shape with all records inline is declared.
  ///
  /// A record that is always a payload does not end the search for that shape.
  @Test
  func `After 4,096 shapes a record may be a payload beside one that is always a payload`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
      coder.encode(Point(x: 1, y: 2), forKey: "early")
    }
    for index in 0..<4_096 {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(UInt8(1), forKey: ArchiveKey("\(index)"))
      }
    }
    // The shape of the second object is declared, but it has no inline record.
    for _ in 0..<2 {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(WrittenRecord { $0.encode("a", forKey: "text") }, forKey: "always")
        coder.encode(Point(x: 3, y: 4), forKey: "late")
      }
    }
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    for object in [4_098, 4_099] { #expect(map.shape(of: object).payloadCount == 2) }
    #expect(try Archive(bytes).verdict() == .canonical)
  }

  /// The shape of an inline record must be declared before, have a fixed width and no case.
  @Test func `Inline records of impossible shapes are refused`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(WrittenRecord { $0.encode("a", forKey: "text") }, forKey: "s")
      coder.encode(
        DynamicValue.enumeration(
          "on", .init(fields: [.init(key: "b", value: .unsigned(1, bitWidth: 8))])), forKey: "e")
      coder.encode(WrittenRecord { $0.encode(UInt8(1), forKey: "b") }, forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let row = try #require(map.shape(of: 1).slots.last).row
    let own = map.word(row + 4)
    for shape in [0, own - 2, own - 1, own + 1, own + 2, 99] where shape >= 0 {
      let changed = patched(bytes, at: row + 4, byteCount: 4, UInt64(shape))
      #expect(openError(changed)?.code == .damaged, "\(shape)")
    }
    for flag in [1, 2, 4, 8] as [UInt8] {
      let changed = patched(bytes, at: row + 1, byteCount: 1, UInt64(bytes[row + 1] | flag))
      #expect(openError(changed)?.code == .damaged)
    }
  }
}
