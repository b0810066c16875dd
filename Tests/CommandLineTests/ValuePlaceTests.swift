import CommandSupport
import Keepsake
import class TestSupport.NotedSource
import struct TestSupport.SeededGenerator
import Testing

/// Values that are found in an archive without reading their whole objects.
@Suite struct `Places of values` {
  private let first = ArchiveObjectID(1)

  private func bytes(_ body: (inout ObjectEncoder) -> Void) throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { body(&$0) }
    return try writer.finish()
  }

  /// The place of the value under the key "v" of the first object.
  private func place(in archive: Archive) throws -> ValuePlace {
    try #require(try archive.place(of: first).value { $1.name == "v" })
  }

  /// Compares each value at its place with the same value of the whole object.
  private func compare(_ place: ValuePlace, _ value: DynamicValue) throws {
    #expect(try place.value() == value)
    switch value {
    case .record(let record), .enumeration(_, let record):
      for field in record.fields {
        let part = try place.value { $0 == field.scope && $1 == field.key }
        try compare(try #require(part), field.value)
      }
    case .array(let elements), .set(let elements):
      #expect(try place.count() == elements.count)
      #expect(try place.element(elements.count) == nil)
      for (index, element) in elements.enumerated() {
        try compare(try #require(try place.element(index)), element)
      }
    case .dictionary(let entries):
      for entry in entries {
        try compare(try #require(try place.entry { $0 == entry.key }), entry.value)
      }
    default: break
    }
  }

  /// Finds each value or gets an error, whatever the bytes are.
  ///
  /// The budget bounds the number of values, since every level is read whole.
  private func walk(_ place: ValuePlace, _ budget: inout Int) {
    budget -= 1
    guard budget > 0 else { return }
    guard let value = try? place.value() else { return descend(place, &budget) }
    if case .record = value { descend(place, &budget) }
    if case .array(let elements) = value {
      for index in 0...elements.count where budget > 0 {
        if let element = try? place.element(index) { walk(element, &budget) }
      }
    }
  }

  /// Visits the parts of a value, for instance when the whole value is refused.
  private func descend(_ place: ValuePlace, _ budget: inout Int) {
    var keys: [([String], ArchiveKey)] = []
    _ = try? place.value { scopes, key in
      keys.append((scopes, key))
      return false
    }
    for (scopes, key) in keys where budget > 0 {
      if let part = try? place.value(where: { $0 == scopes && $1 == key }) { walk(part, &budget) }
    }
    let count = (try? place.count()).flatMap { $0 } ?? 0
    for index in Set([0, 1, count / 2, count - 1, count]).sorted() where index >= 0 && budget > 0 {
      if let element = try? place.element(index) { walk(element, &budget) }
    }
    var number = 0
    while let entry = try? place.entry(where: { _ in
      number += 1
      return number > 3
    }) {
      walk(entry, &budget)
      if number > 9 || budget <= 0 { break }
    }
  }

  @Test func `Places lead to the values of every vector, from a source and in memory`() throws {
    for (outcome, bytes) in try archiveVectors() where outcome != "refused" {
      // A place for each of many keys would open their dictionary each time.
      if bytes.count > 200_000 { continue }
      // The source reads a few bytes at a time; a limit of 0 reads only the ends of arrays.
      for archive in [
        try Archive(source: NotedSource(bytes, blockByteCount: 64)), try Archive(bytes),
      ] {
        for number in 1...archive.objectCount where number < 40 {
          let id = ArchiveObjectID(UInt32(number))
          let record = try archive.object(id).dynamicRecord()
          for wholeArray in [0, 1 << 14] {
            try compare(try archive.place(of: id, wholeArray: wholeArray), .record(record))
          }
        }
      }
    }
  }

  @Test func `Places in refused and in changed vectors are found or refused`() throws {
    var random = SeededGenerator(seed: 7)
    for (_, original) in try archiveVectors() {
      guard 1..<4_000 ~= original.count else { continue }
      for change in 0..<8 {
        var bytes = original
        if change > 0 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        guard let archive = try? Archive(source: NotedSource(bytes, blockByteCount: 64)) else {
          continue
        }
        for number in 1...min(archive.objectCount, 8) {
          let id = ArchiveObjectID(UInt32(number))
          var budget = 200
          if let place = try? archive.place(of: id, wholeArray: 0) { walk(place, &budget) }
        }
      }
    }
  }

  /// The object is one level, and its values are the next one.
  @Test func `Places that are nested too deep are refused at their start`() throws {
    for bytes in [
      try bytes { $0.encode(["key": 1], forKey: "v") },
      try bytes { $0.encode(["element"], forKey: "v") },
      try bytes { $0.encode(Set(["member"]), forKey: "v") },
    ] {
      let payload = try place(in: Archive(bytes)).range.lowerBound
      for (depth, isAllowed) in [(1, false), (2, true)] {
        var limits = ArchiveLimits()
        limits.nestingDepth = depth
        let place = try place(in: Archive(bytes, limits: limits))
        var error: ArchiveError?
        do throws(ArchiveError) {
          _ = try place.count()
          _ = try place.entry { _ in true }
        } catch let thrown {
          error = thrown
        }
        #expect(error?.code == (isAllowed ? nil : .limitExceeded))
        #expect(error?.offset == (isAllowed ? nil : payload))
        #expect(error?.objectID == (isAllowed ? nil : first))
      }
    }
  }

  @Test func `Places in an object of a shape that no object may have are refused`() throws {
    let record = DynamicRecord(fields: [.init(key: "n", value: .string("a"))])
    for value in [.record(record), .enumeration("on", record)] as [DynamicValue] {
      let bytes = try bytes { $0.encode(value, forKey: "v") }
      let whole = try Archive(bytes)
      // The row of the only segment ends before the tail of 24 bytes, with the shape of its objects. The object gets
      // the shape of its own value: one of a type without a name, or of a case.
      var changed = bytes
      changed[bytes.count - 24 - 4] = bytes[try place(in: whole).range.lowerBound]
      for archive in [try Archive(changed), try Archive(source: NotedSource(changed))] {
        let place = try archive.place(of: first)
        let error = #expect(throws: ArchiveError.self) { _ = try place.value { _, _ in true } }
        #expect(error?.code == .damaged && error?.objectID == first)
        #expect(try error?.offset == whole.place(of: first).range.lowerBound)
      }
    }
  }

  @Test func `Places of nil values have no parts`() throws {
    let tags: [(ArchiveKey, ArchiveTag)] = [
      ("record", .record), ("enumeration", .enumeration), ("array", .array), ("set", .set),
      ("dictionary", .dictionary),
    ]
    let fields = tags.map { DynamicRecord.Field(key: $0, value: .null, optionalTag: $1) }
    let bytes = try bytes { $0.encodeFields(of: DynamicRecord(fields: fields)) }
    let object = try Archive(bytes).place(of: first)
    for (key, _) in tags {
      let place = try #require(try object.value { $1 == key })
      #expect(place.isNil)
      #expect(try place.value() == .null)
      #expect(try place.value { _, _ in true } == nil)
      #expect(try place.count() == nil)
      #expect(try place.element(0) == nil)
      #expect(try place.entry { _ in true } == nil)
    }
  }

  @Test func `A place reads only the bytes on its path, not the whole object`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Log") { coder in
      coder.encode((0..<50_000).map { "line \($0)" }, forKey: "lines")
      coder.encode((0..<50_000).map { Double($0) }, forKey: "times")
      coder.encode("title", forKey: "title")
    }
    let source = NotedSource(try writer.finish(root: first), blockByteCount: 256)
    let archive = try Archive(source: source)
    _ = source.takeReads()
    let log = try archive.place(of: first)
    for (key, index, expected) in [
      ("lines", 49_999, DynamicValue.string("line 49999")), ("times", 31_234, .double(31_234)),
    ] {
      let array = try #require(try log.value { $1.name == key })
      #expect(try array.count() == 50_000)
      #expect(try array.element(index)?.value() == expected)
    }
    #expect(try log.value { $1.name == "title" }?.value() == .string("title"))
    #expect(source.takeReads().reduce(0) { $0 + $1.count } < 8_192)
  }
}
