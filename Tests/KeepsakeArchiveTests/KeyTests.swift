import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Keys and scopes` {
  @Test func `Any string is an ordinary key`() throws {
    let names = ["", "bundleVersion", "$class", "a\u{0}b", "\u{E9}", "e\u{301}", "日本", "template"]
    let long = String(repeating: "k", count: 60_000)
    let object = try archive { coder in
      for (index, name) in (names + [long]).enumerated() {
        coder.encode(index, forKey: ArchiveKey(name))
      }
    }.object(first)
    for (index, name) in (names + [long]).enumerated() {
      #expect(try object.decode(Int.self, forKey: ArchiveKey(name)) == index)
    }
    #expect(object.keys.count == names.count + 1)
    #expect(archiveError { _ = try object.decode(Int.self, forKey: .bundleVersion) } != nil)
  }

  @Test func `Keys are listed in the order of their bytes`() throws {
    let object = try archive { coder in
      for name in ["b", "a", "Z", "\u{E9}", "ab"] { coder.encode(true, forKey: ArchiveKey(name)) }
      coder.withScope("s") { $0.encode(true, forKey: "inner") }
    }.object(first)
    #expect(object.keys.map(\.name) == ["Z", "a", "ab", "b", "\u{E9}"])
    #expect(object.scopeNames == ["s"])
  }

  @Test func `All keys of a record with 1,000 slots are found`() throws {
    let object = try archive { coder in
      for index in 0..<1000 {
        coder.encode(index, forKey: ArchiveKey("a key that is not short \(index)"))
      }
    }.object(first)
    for index in 0..<1000 {
      let key = ArchiveKey("a key that is not short \(index)")
      #expect(try object.decode(Int.self, forKey: key) == index)
    }
    #expect(object.contains("a key that is not short 1000") == false)
  }

  /// Equal strings may store their bytes in different places: inline, on the heap or in the program's data.
  @Test func `A short key is found however its string is stored`() throws {
    let names = ["x", "fifteen letters", "sixteen letters!"]
    let object = try archive { coder in
      for (index, name) in names.enumerated() { coder.encode(index, forKey: ArchiveKey(name)) }
    }.object(first)
    for (index, name) in names.enumerated() {
      var roomy = ""
      roomy.reserveCapacity(100)
      roomy.append(name)
      #expect(try object.decode(Int.self, forKey: ArchiveKey(roomy)) == index)
      let part = ArchiveKey(String("(\(name))".dropFirst().dropLast()))
      #expect(try object.decodeIfPresent(Int.self, forKey: part) == index)
    }
  }

  @Test(arguments: [0, 1, 5, 40, 64, 65, 300])
  func `Absent keys are told apart from present ones`(count: Int) throws {
    func name(_ index: Int) -> ArchiveKey {
      ArchiveKey(index % 7 == 6 ? "a key of more letters than fit \(index)" : "key \(index)")
    }
    let object = try archive { coder in
      for index in 0..<count { coder.encode(index, forKey: name(2 * index)) }
      coder.withScope("s") { $0.encode(true, forKey: "key 1") }
    }.object(first)
    for index in 0..<2 * count + 100 {
      let isThere = index % 2 == 0 && index < 2 * count
      #expect(object.contains(name(index)) == isThere)
      #expect(
        try object.decodeIfPresent(Int.self, forKey: name(index)) == (isThere ? index / 2 : nil))
      #expect(
        archiveError { _ = try object.decode(Int.self, forKey: name(index)) }?.code
          == (isThere ? nil : .absentKey))
    }
  }

  @Test func `The error of a repeated key names the key`() {
    let error = archiveError {
      _ = try archiveBytes { coder in
        coder.encode(1, forKey: "a")
        coder.withScope("Base") { inner in
          inner.encode(1, forKey: "twice")
          inner.encode("x", forKey: "twice")
        }
      }
    }
    #expect(error?.code == .duplicateKey)
    #expect(error?.keyPath == ["Base.twice"])
  }

  @Test func `A reserved key cannot be written`() {
    let error = archiveError { _ = try archiveBytes { $0.encode("1", forKey: .bundleVersion) } }
    #expect(error?.code == .reservedKey)
  }

  @Test func `Reserved values are read from every object`() throws {
    let reserved = ReservedValues(
      bundleVersion: "11.0", userInterfaceIdiom: 1,
      timestamp: ArchiveDate(secondsSinceReferenceDate: 5), systemVersion: "12")
    let archive = try Archive(archiveBytes(reserved: reserved) { $0.encode(1, forKey: "a") })
    #expect(archive.reserved == reserved)
    let object = try archive.object(first)
    #expect(object.contains(.timestamp) == true)
    #expect(try object.decode(String.self, forKey: .bundleVersion) == "11.0")
    #expect(try object.decode(Int.self, forKey: .userInterfaceIdiom) == 1)
    #expect(
      try object.scope("none").decode(ArchiveDate.self, forKey: .timestamp) == reserved.timestamp)
    #expect(object.keys == ["a"])
  }

  @Test func `A reserved value that was not written is absent`() throws {
    let object = try archive { $0.encode(1, forKey: "a") }.object(first)
    #expect(object.contains(.bundleVersion) == false)
    #expect(try object.decodeIfPresent(String.self, forKey: .template) == nil)
    #expect(
      archiveError { _ = try object.decode(String.self, forKey: .bundleVersion) }?.code
        == .absentKey)
  }

  @Test func `Equal keys in different scopes are different keys`() throws {
    let object = try archive { coder in
      coder.encode("sub", forKey: "title")
      coder.withScope("Base") { base in
        base.encode("base", forKey: "title")
        base.withScope("Root") { $0.encode("root", forKey: "title") }
      }
      coder.withScope("Other") { $0.encode(1, forKey: "n") }
      coder.withScope("Base") { $0.encode(2, forKey: "more") }
    }.object(first)
    #expect(try object.decode(String.self, forKey: "title") == "sub")
    #expect(object.scopeNames == ["Base", "Other"])
    let base = object.scope("Base")
    #expect(try base.decode(String.self, forKey: "title") == "base")
    #expect(base.keys == ["more", "title"])
    #expect(try base.scope("Root").decode(String.self, forKey: "title") == "root")
    #expect(base.scope("Root").scopeNames == [])
    #expect(object.scope("Never").keys == [])
    #expect(archiveError { _ = try object.scope("Never").decode(Int.self, forKey: "n") } != nil)
    let error = archiveError { _ = try base.decode(Int.self, forKey: "title") }
    #expect(error?.keyPath == ["Base", "title"])
  }

  /// A shape of 65,535 keys has no index, so a reader finds a key by binary search among the keys of all scopes.
  @Test func `Keys of scopes are found in an object of 65,535 keys`() throws {
    let count = 13_107
    func value(_ number: Int, _ scope: Int) -> UInt16 { UInt16(scope * count + number) }
    func write(_ scope: Int, to coder: inout ObjectEncoder) {
      for number in 0..<count {
        coder.encode(value(number, scope), forKey: ArchiveKey("\(number)"))
      }
    }
    let object = try archive { coder in
      // The object writes a scope before its first own key.
      coder.withScope("D") { write(1, to: &$0) }
      write(0, to: &coder)
      coder.withScope("B") { coder in
        write(2, to: &coder)
        coder.withScope("I") { write(3, to: &$0) }
      }
      coder.withScope("F") { write(4, to: &$0) }
    }.object(first)
    func check(_ object: borrowing ObjectDecoder, _ scope: Int) throws {
      for number in Array(stride(from: 0, to: count, by: 97)) + [count - 1] {
        let found = try object.decode(UInt16.self, forKey: ArchiveKey("\(number)"))
        #expect(found == value(number, scope))
      }
      for name in ["", "\(count)", "00", "x", "B", "I"] {
        let isThere = object.contains(ArchiveKey(name))
        #expect(!isThere)
      }
    }
    try check(object, 0)
    try check(object.scope("D"), 1)
    let inner = object.scope("B")
    try check(inner, 2)
    try check(inner.scope("I"), 3)
    try check(object.scope("F"), 4)
    let isThere = object.scope("none").contains("1")
    #expect(!isThere)
    let error = archiveError { _ = try object.scope("none").decode(UInt16.self, forKey: "1") }
    #expect(error?.code == .absentKey)
  }

  @Test func `A key and a scope may have the same name`() throws {
    let object = try archive { coder in
      coder.encode(1, forKey: "x")
      coder.withScope("x") { $0.encode(2, forKey: "x") }
    }.object(first)
    #expect(try object.decode(Int.self, forKey: "x") == 1)
    #expect(try object.scope("x").decode(Int.self, forKey: "x") == 2)
  }

  @Test func `A body that throws leaves the outer scope in place`() throws {
    struct Stop: Error {}
    let object = try archive { coder in
      try? coder.withScope("inner") { _ in throw Stop() }
      coder.encode(1, forKey: "a")
    }.object(first)
    #expect(object.keys == ["a"])
  }

  @Test func `Nested records have keys and scopes of their own`() throws {
    let record = DynamicRecord(
      typeName: "Inner",
      fields: [
        .init(key: "a", value: .signed(1, bitWidth: 8)),
        .init(scope: ["S", "T"], key: "a", value: .string("deep and long enough")),
      ])
    let value = DynamicValue.array([.record(record), .null, .record(record)])
    let object = try archive { coder in
      coder.encode(0, forKey: "a")
      coder.encode(value, forKey: "records")
    }.object(first)
    #expect(try object.decode(DynamicValue.self, forKey: "records") == value)
    #expect(try object.decode(Int.self, forKey: "a") == 0)
  }
}

/// The names differ in a few letters, as those of numbered columns do.
@Suite struct `Keys whose names are alike` {
  @Test(arguments: [1, 5, 59, 64, 65, 200, 3000])
  func `Numbered keys are found, and no others`(count: Int) throws {
    for pattern in [
      "column", "", "a name that is the same up to its number ", "0123456789abcdefghij",
    ] {
      func key(_ number: Int, _ end: String) -> ArchiveKey {
        ArchiveKey("\(pattern)\(number)\(end)")
      }
      for end in ["", "x", " and has the same end"] {
        var writer = ArchiveWriter()
        try writer.writeObject(first, typeName: "T") { coder in
          for number in 0..<count { coder.encode(Int32(number), forKey: key(number, end)) }
        }
        let object = try Archive(writer.finish(root: first)).object(first)
        for number in 0..<count {
          #expect(try object.decode(Int32.self, forKey: key(number, end)) == Int32(number))
        }
        for number in count..<count + 20 {
          let hasNext = object.contains(key(number, end))
          let hasOther = object.contains(key(number - count, end + "?"))
          #expect(!hasNext && !hasOther)
        }
        #expect(object.keys.count == count)
      }
    }
  }

  /// The object has more names with the same hash than a look-up in the index probes.
  @Test func `Keys with the same hash are found, and no others`() throws {
    // From step to step, the fourth letter goes down by one and the last one up by two, so the hash stays the same.
    func key(_ step: UInt8) -> ArchiveKey {
      var bytes = Array("keyzname".utf8) + [UInt8(ascii: "a") + 2 * step]
      bytes[3] -= step
      return ArchiveKey(String(decoding: bytes, as: UTF8.self))
    }
    let object = try archive { coder in
      for step in 0..<12 as Range<UInt8> { coder.encode(step, forKey: key(step)) }
    }.object(first)
    for step in 0..<12 as Range<UInt8> {
      #expect(try object.decodeIfPresent(UInt8.self, forKey: key(step)) == step)
    }
    let hasNext = object.contains(key(12))
    #expect(!hasNext)
  }
}
