import KeepsakeArchive
import TestSupport
import Testing

@Suite struct `Borrowed values` {
  @Test func `Numbers are lent without a copy`() throws {
    let numbers = (0..<1000).map { Double($0) / 3 }
    let archive = try archive { coder in
      coder.encode(UInt8(1), forKey: "shifts what follows")
      coder.encode("and so does this", forKey: "text")
      coder.encode(numbers, forKey: "numbers")
      coder.encode([Int16(-2), 7], forKey: "short")
      coder.encode([Int64](), forKey: "none")
    }
    let object = try archive.object(first)
    let span = try object.borrowedNumbers(of: Double.self, forKey: "numbers")
    var sum = 0.0
    for index in span.indices { sum += span[index] }
    let count = span.count
    #expect(count == 1000)
    #expect(sum == numbers.reduce(0, +))
    let short = try object.borrowedNumbers(of: Int16.self, forKey: "short")
    let copied = short.indices.map { short[$0] }
    #expect(copied == [-2, 7])
    let none = try object.borrowedNumbers(of: Int64.self, forKey: "none")
    let isEmpty = none.isEmpty
    #expect(isEmpty)
  }

  /// Records begin at any offset, and a source loads only parts of an archive into memory.
  @Test(arguments: 0..<8)
  func `Numbers are aligned at every offset of the record and for every reader`(length: Int) throws
  {
    var writer = ArchiveWriter()
    for id in 1...9 as ClosedRange<UInt32> {
      try writer.writeObject(.init(id), typeName: "T") { coder in
        coder.encode(String(repeating: "x", count: length), forKey: "text")
        coder.encode([Double(id), 0.5], forKey: "doubles")
        coder.encode([Float(id)], forKey: "floats")
        coder.encode([UInt16(id)], forKey: "shorts")
      }
    }
    let bytes = try writer.finish(root: first)
    func check(_ object: borrowing ObjectDecoder) throws {
      let doubles = try object.borrowedNumbers(of: Double.self, forKey: "doubles")
      let floats = try object.borrowedNumbers(of: Float.self, forKey: "floats")
      let shorts = try object.borrowedNumbers(of: UInt16.self, forKey: "shorts")
      let id = UInt16(object.objectID.rawValue)
      let isSame = doubles[0] == Double(id) && floats[0] == Float(id) && shorts[0] == id
      #expect(isSame && doubles[1] == 0.5)
    }
    for archive in try [Archive(bytes), Archive(source: NotedSource(bytes))] {
      for id in 1...9 as ClosedRange<UInt32> { try check(archive.object(.init(id))) }
      try archive.forEachObject { try check($0) }
    }
    var reader = try ArchiveStreamReader(PiecewiseSource(bytes, piece: 7))
    var count = 0
    while try reader.withNextObject({ try check($0) }) != nil { count += 1 }
    #expect(count == 9)
  }

  @Test func `Numbers of another type or with a nil are not lent`() throws {
    let archive = try archive { coder in
      coder.encode([Float(1)], forKey: "floats")
      coder.encode([1.5, nil], forKey: "gaps")
      coder.encode("text", forKey: "text")
    }
    let object = try archive.object(first)
    for key in ["floats", "gaps", "text"] as [ArchiveKey] {
      let error = archiveError {
        _ = try object.borrowedNumbers(of: Double.self, forKey: key).count
      }
      #expect(error?.code == .typeMismatch)
      #expect(error?.keyPath == [key.name])
    }
    #expect(
      archiveError { _ = try object.borrowedNumbers(of: Double.self, forKey: "absent").count }?.code
        == .absentKey)
  }

  @Test func `Bytes, strings and URLs are lent as their bytes`() throws {
    let archive = try archive { coder in
      coder.encode(ArchiveBytes([3, 1, 4]), forKey: "bytes")
      coder.encode("żółw", forKey: "text")
      coder.encode(ArchiveURL("https://a.example/"), forKey: "url")
      coder.encode(nil as String?, forKey: "nothing")
      coder.encode(7, forKey: "number")
    }
    let object = try archive.object(first)
    func copy(_ key: ArchiveKey) throws -> [UInt8] {
      let span = try object.bytes(forKey: key)
      return span.indices.map { span[$0] }
    }
    #expect(try copy("bytes") == [3, 1, 4])
    #expect(try copy("text") == Array("żółw".utf8))
    #expect(try copy("url") == Array("https://a.example/".utf8))
    #expect(archiveError { _ = try object.bytes(forKey: "nothing").count }?.code == .nullValue)
    #expect(archiveError { _ = try object.bytes(forKey: "number").count }?.code == .typeMismatch)
  }

  @Test func `The archive's own texts are lent through each of its objects`() throws {
    var writer = ArchiveWriter(
      reserved: ReservedValues(bundleVersion: "11.0", systemVersion: "another"))
    for number in 1...600 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        coder.encode("text", forKey: "text")
        coder.withScope("Super") { $0.encode(Int64(number), forKey: "number") }
      }
    }
    let bytes = try writer.finish(root: first)
    func check(_ object: borrowing ObjectDecoder) throws {
      func copy(_ key: ArchiveKey, _ object: borrowing ObjectDecoder) throws -> [UInt8] {
        let span = try object.bytes(forKey: key)
        return span.indices.map { span[$0] }
      }
      #expect(try copy("text", object) == Array("text".utf8))
      #expect(try copy(.bundleVersion, object) == Array("11.0".utf8))
      #expect(try copy(.systemVersion, object.scope("Super")) == Array("another".utf8))
      #expect(archiveError { _ = try object.bytes(forKey: .timestamp).count }?.code == .absentKey)
    }
    for archive in [try Archive(bytes), try Archive(source: NotedSource(bytes))] {
      try archive.forEachObject { try check($0) }
      for id in [1, 300, 600] as [UInt32] { try check(archive.object(.init(id))) }
    }
  }

  @Test func `Objects are lent one after the other`() throws {
    var writer = ArchiveWriter()
    for number in 1...3000 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: number.isMultiple(of: 2) ? "Even" : "Odd") {
        $0.encode(String(repeating: "x", count: Int(number)), forKey: "text")
      }
    }
    let archive = try Archive(writer.finish(root: first))
    var seen: [UInt32] = []
    try archive.forEachObject { object in
      seen.append(object.objectID.rawValue)
      let length = try object.bytes(forKey: "text").count
      #expect(length == Int(object.objectID.rawValue))
      #expect(object.typeName == (object.objectID.rawValue.isMultiple(of: 2) ? "Even" : "Odd"))
    }
    #expect(seen == Array(1...3000))
  }
}
