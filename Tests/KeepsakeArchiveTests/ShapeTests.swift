import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Objects of one type write different keys, so their slots take more or less room than those of the object before.
@Suite struct `Records whose keys change` {
  /// Writes objects whose keys are chosen by bits and reads all of them back.
  private func check(_ choices: [UInt8]) throws {
    var writer = ArchiveWriter()
    for (index, bits) in choices.enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        if bits & 1 != 0 { coder.encode("text \(index)", forKey: "text") }
        if bits & 2 != 0 { coder.encode([[index], []], forKey: "array") }
        if bits & 4 != 0 { coder.encode(UInt8(index), forKey: "small") }
        if bits & 8 != 0 {
          coder.encode(Line(start: .init(x: 1, y: 2), end: nil, color: .red), forKey: "record")
        }
        if bits & 16 != 0 { coder.encode(UInt128(index), forKey: "wide") }
        if bits & 32 != 0 {
          coder.encode(index.isMultiple(of: 2) ? nil : ["k": index], forKey: "map")
        }
        if bits & 64 != 0 { coder.encode(index.isMultiple(of: 3) ? nil : "odd", forKey: "maybe") }
        coder.encode(index, forKey: "index")
      }
    }
    let archive = try Archive(writer.finish(root: first))
    try archive.requireCanonical()
    for (index, bits) in choices.enumerated() {
      let object = try archive.object(.init(UInt32(index + 1)))
      #expect(object.keys.count == bits.nonzeroBitCount + 1)
      #expect(try object.decode(Int.self, forKey: "index") == index)
      if bits & 1 != 0 {
        #expect(try object.decode(String.self, forKey: "text") == "text \(index)")
      }
      if bits & 2 != 0 {
        #expect(try object.decode([[Int]].self, forKey: "array") == [[index], []])
      }
      if bits & 4 != 0 { #expect(try object.decode(UInt8.self, forKey: "small") == UInt8(index)) }
      if bits & 8 != 0 { #expect(try object.decode(Line.self, forKey: "record").start.y == 2) }
      if bits & 16 != 0 { #expect(try object.decode(Int.self, forKey: "wide") == index) }
      if bits & 32 != 0 {
        #expect(
          try object.decode([String: Int]?.self, forKey: "map")
            == (index.isMultiple(of: 2) ? nil : ["k": index]))
      }
      if bits & 64 != 0 {
        #expect(
          try object.decode(String?.self, forKey: "maybe")
            == (index.isMultiple(of: 3) ? nil : "odd"))
      }
    }
  }

  // Holds.
  @Test func `Records are read back after each other, for every pair of sets of keys`() throws {
    for one in 0..<128 as Range<UInt8> {
      try check([one, 127, one, 0, one, one ^ 127, one ^ 85, one])
    }
  }

  @Test func `Slots may grow after payloads were written`() throws {
    // The payloads of the first keys are in the bytes that the slots of later keys need.
    for count in 0..<40 {
      let object = try archive { coder in
        coder.encode("a payload", forKey: "text")
        coder.encode([Point(x: 1, y: 2)], forKey: "points")
        for index in 0..<count { coder.encode(UInt16(index), forKey: ArchiveKey("n\(index)")) }
        coder.encode(["z"], forKey: "last")
        for index in 0..<count {
          coder.encode(
            index.isMultiple(of: 2) ? nil : UInt8(index), forKey: ArchiveKey("m\(index)"))
        }
      }.object(first)
      #expect(try object.decode(String.self, forKey: "text") == "a payload")
      #expect(try object.decode([Point].self, forKey: "points") == [Point(x: 1, y: 2)])
      #expect(try object.decode([String].self, forKey: "last") == ["z"])
      for index in 0..<count {
        #expect(try object.decode(Int.self, forKey: ArchiveKey("n\(index)")) == index)
        let maybe = try object.decode(Int?.self, forKey: ArchiveKey("m\(index)"))
        #expect(maybe == (index.isMultiple(of: 2) ? nil : index))
      }
    }
  }

  @Test func `Nested records of one type are read back from inside each other`() throws {
    func tree(_ depth: Int, _ keys: Int) -> DynamicValue {
      var record = DynamicRecord(typeName: "Tree")
      for index in 0..<keys {
        record.fields.append(.init(key: .init("k\(index)"), value: .bool(true)))
      }
      if depth > 0 {
        let children = (0..<3).map { tree(depth - 1, (keys + $0 * 5) % 11) }
        record.fields.append(.init(key: "children", value: .array(children)))
        record.fields.append(.init(key: "only", value: tree(depth - 1, (keys + 7) % 11)))
        record.fields.append(.init(key: "text", value: .string("\(depth) \(keys)")))
      }
      return .record(record)
    }
    for keys in 0..<11 {
      let value = tree(4, keys)
      #expect(try roundTrip(value) == value)
    }
  }

  @Test func `Enumerations that differ from one element to the next are read back`() throws {
    let routes: [Route?] = (0..<60).map { index in
      switch index % 5 {
      case 0: .home
      case 1: .detail(name: String(repeating: "n", count: index), isEditing: true)
      case 2: .list((0..<Int8(index)).map { $0 })
      case 3: nil
      default: .detail(name: "", isEditing: false)
      }
    }
    #expect(try roundTrip(routes) == routes)
  }

  @Test func `Types, versions, scopes and cases with one name keep shapes of their own`() throws {
    func record(_ type: String, _ version: UInt32, scope: [String]) -> DynamicRecord {
      .init(
        typeName: type, schemaVersion: version,
        fields: [.init(scope: scope, key: "x", value: .bool(true))])
    }
    let values: [DynamicValue] = [
      .record(record("x", 0, scope: [])), .record(record("x", 1, scope: [])),
      .record(record("y", 0, scope: [])), .record(record("x", 0, scope: ["x"])),
      .record(record("x", 0, scope: ["x", "x"])), .enumeration("x", record("x", 0, scope: [])),
      .enumeration("y", record("x", 0, scope: [])), .enumeration("x", record("x", 0, scope: ["x"])),
      .enumeration("", .init()), .record(.init()), .record(.init(typeName: "x")),
    ]
    #expect(try roundTrip(DynamicValue.array(values + values)) == .array(values + values))
    let bytes = try archiveBytes { $0.encode(DynamicValue.array(values), forKey: "v") }
    // Each value has its own shape, and so has the object.
    #expect(ArchiveMap(bytes).shapes.count == values.count + 1)
  }
}
