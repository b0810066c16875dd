import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// Reading objects value by value, without their types (Spec/archive.md, 7.6).
@Suite struct `Reading without types` {
  /// An archive of one object with values in scopes, nils and a value that is left out.
  private func sample(_ limits: ArchiveLimits = .init()) throws -> Archive {
    let bytes = try archiveBytes { coder in
      coder.encode(1, forKey: "a")
      coder.encodeIfPresent(nil as Int?, forKey: "absent")
      coder.withScope("S") { coder in
        coder.encode("x", forKey: "b")
        coder.encodeIfPresent("y", forKey: "present")
        coder.withScope("T") { $0.encode(nil as Int?, forKey: "c") }
      }
      coder.encode(true, forKey: "d")
    }
    return try Archive(bytes, limits: limits)
  }

  private typealias Visit = (field: DynamicRecord.Field, value: DynamicValue)

  private func visits(_ object: borrowing ObjectDecoder) throws -> [Visit] {
    var visits: [Visit] = []
    try object.forEachField { field, value in
      visits.append((field, try DynamicValue(from: value)))
    }
    return visits
  }

  @Test func `All values of a scope are visited in their order, with their keys`() throws {
    let object = try sample().object(first)
    let all = try visits(object)
    #expect(all.map(\.field.name) == ["a", "S.b", "S.present", "S.T.c", "d"])
    #expect(all.map(\.field.optionalTag) == [nil, nil, .string, .int32, nil])
    #expect(all.map(\.field.omitsNil) == [false, false, true, false, false])
    let record = try object.dynamicRecord()
    #expect(record.fields.map(\.value) == all.map(\.value))
    #expect(record.fields.map(\.name) == all.map(\.field.name))
    #expect(record.fields.map(\.omitsNil) == all.map(\.field.omitsNil))
    let inner = try visits(object.scope("S"))
    #expect(inner.map(\.field.name) == ["b", "present", "T.c"])
    #expect(inner.map(\.value) == [.string("x"), .string("y"), .null])
    #expect(try object.scope("S").dynamicRecord().fields.map(\.name) == ["b", "present", "T.c"])
  }

  @Test func `An error of a visit has the key of the value and its object`() throws {
    let object = try sample().object(first)
    for (name, path) in [("a", ["a"]), ("S.b", ["S", "b"]), ("S.T.c", ["S", "T", "c"])] {
      let error = archiveError {
        try object.forEachField { field, _ in
          if field.name == name { throw ArchiveError(.invalidValue, "not this one") }
        }
      }
      #expect(error?.code == .invalidValue && error?.keyPath == path && error?.objectID == first)
    }
    let inner = archiveError {
      try object.scope("S").forEachField { _, _ in throw ArchiveError(.invalidValue, "no") }
    }
    #expect(inner?.keyPath == ["S", "b"])
  }

  // The absent value counts too, since its slot takes memory.
  @Test(arguments: [5, 6, 7])
  func `A record may have as many values as the limit says`(limit: Int) throws {
    var limits = ArchiveLimits()
    limits.valueCount = limit
    let object = try sample(limits).object(first)
    for error in [
      archiveError { _ = try object.dynamicRecord() },
      archiveError { try object.forEachField { _, _ in } },
    ] {
      #expect(error?.code == (limit < 6 ? .limitExceeded : nil))
      #expect(error?.objectID == (limit < 6 ? first : nil))
    }
  }

  /// Texts with bytes that are not UTF-8, wherever a text may be; each with the path of its error.
  static let damaged: [(value: DynamicValue, path: [String])] = {
    let text = DynamicValue.string("~~~~")
    let record = DynamicRecord(fields: [
      .init(key: "x", value: .bool(true)), .init(key: "b", value: text),
    ])
    return [
      (text, ["a"]), (.array([.string("x"), text]), ["a", "[1]"]),
      (.array([.null, text]), ["a", "[1]"]), (.array([.bool(true), text]), ["a", "[1]"]),
      (.set([.string("x"), text]), ["a", "[1]"]),
      (
        .dictionary([.init(key: .string("x"), value: .null), .init(key: text, value: .null)]), ["a"]
      ),
      (
        .dictionary([
          .init(key: .string("x"), value: .null), .init(key: .string("y"), value: text),
        ]), ["a", "[1]"]
      ),
      (.record(record), ["a", "b"]), (.enumeration("on", record), ["a", "b"]),
      (.array([.record(record)]), ["a", "[0]", "b"]),
      (
        .array([.array([]), .array([.null, .enumeration("on", record)])]), ["a", "[1]", "[1]", "b"]
      ),
      (
        .record(DynamicRecord(fields: [.init(scope: ["S", "T"], key: "k", value: text)])),
        ["a", "S", "T", "k"]
      ),
      (.dictionary([.init(key: .bool(true), value: .record(record))]), ["a", "[0]", "b"]),
    ]
  }()

  static func damagedArchive(_ value: DynamicValue) throws -> Archive {
    var bytes = try archiveBytes { coder in
      coder.encode("before", forKey: "first")
      coder.encode(value, forKey: "a")
    }
    let text = try #require(bytes.indices.last { bytes[$0...].starts(with: "~~~~".utf8) })
    bytes[text] = 0xFF
    return try Archive(bytes)
  }

  @Test(arguments: damaged.indices)
  func `Damage is reported at the key and the index of its value`(number: Int) throws {
    let (value, path) = Self.damaged[number]
    let object = try Self.damagedArchive(value).object(first)
    for error in [
      archiveError { _ = try object.dynamicRecord() }, archiveError { _ = try visits(object) },
    ] {
      #expect(error?.code == .invalidUTF8 && error?.keyPath == path && error?.objectID == first)
    }
  }

  @Test func `A slot is named by its scopes and its key`() throws {
    let object = try sample().object(first)
    #expect(object.slotCount == 6)
    let names = (0..<object.slotCount).map { object.name(ofSlot: $0) }
    #expect(names.sorted() == ["S.T.c", "S.b", "S.present", "a", "absent", "d"])
    for slot in 0..<object.slotCount where names[slot] != "absent" {
      let value = try object.computedValue(ofSlot: slot)
      let field = try object.dynamicRecord().fields.first { $0.name == names[slot] }
      #expect(value.value == field?.value && value.optionalTag == field?.optionalTag)
    }
  }
}
