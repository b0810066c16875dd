import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// A full check skips bytes that cannot be wrong, and finds every other error wherever it is (Spec/archive.md,
/// 7.4).
@Suite struct `Full checks of an archive` {
  private struct Switch: ArchiveRecord {
    var isOn: Bool

    func encode(to coder: inout ObjectEncoder) { coder.encode(isOn, forKey: "isOn") }
    init(isOn: Bool) { self.isOn = isOn }
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      isOn = try coder.decode(forKey: "isOn")
    }
  }

  /// Its body: a byte with the flag and the nil bits of number and note; the number; the switch; an end; name and
  /// note.
  private struct Row: ArchiveRecord {
    var flag: Bool
    var number: Int32?
    var state: Switch
    var name: String
    var note: String?

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(flag, forKey: "flag")
      coder.encode(number, forKey: "number")
      coder.encode(state, forKey: "state")
      coder.encode(name, forKey: "name")
      coder.encode(note, forKey: "note")
    }

    init(number: Int32?) {
      flag = true
      self.number = number
      state = Switch(isOn: true)
      name = "name"
      note = "note"
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      flag = try coder.decode(forKey: "flag")
      number = try coder.decode(forKey: "number")
      state = try coder.decode(forKey: "state")
      name = try coder.decode(forKey: "name")
      note = try coder.decode(forKey: "note")
    }
  }

  private static let count = 300

  private func rows() throws -> (bytes: [UInt8], last: Range<Int>) {
    var writer = ArchiveWriter()
    try writer.writeObjects(
      (1...Self.count).map { Row(number: $0 == Self.count ? nil : 7) }, typeName: "Row")
    let bytes = try writer.finish(root: first)
    try Archive(bytes).requireCanonical()
    return (bytes, ArchiveMap(bytes).record(Self.count))
  }

  /// The offset of a byte in the last record, its new value, and the code of the error.
  @Test(arguments: [
    (0, 0x80 | 0x07, ArchiveError.Code.nonCanonical), (1, 1, .nonCanonical),
    (5, 0x11, .nonCanonical),
    (7, 0xFF, .invalidUTF8), (13, 0xC3, .invalidUTF8), (6, 9, .damaged),
  ]) func `An error in the last of many records is found`(
    offset: Int, value: Int, code: ArchiveError.Code
  ) throws {
    var (bytes, last) = try rows()
    bytes[last.lowerBound + offset] = UInt8(value)
    let error = verifyError(bytes)
    #expect(error?.code == code)
    #expect(error?.objectID == ArchiveObjectID(UInt32(Self.count)))
    #expect(
      error?.keyPath == (code == .invalidUTF8 ? [offset < 11 ? "name" : "note"] : []))
  }

  @Test func `A nil that has a text is not canonical, whatever the text's bytes`() throws {
    var (bytes, last) = try rows()
    bytes[last.lowerBound] |= 0x04
    #expect(verifyError(bytes)?.code == .nonCanonical)
    bytes[last.upperBound - 1] = 0xFF
    #expect(verifyError(bytes)?.code == .nonCanonical)
  }

  @Test func `Unused bits that are set are found in an array of cells`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode([Switch](repeating: Switch(isOn: true), count: 9), forKey: "switches")
    }
    for last in [1, 8] {
      let offset = ArchiveMap(bytes).record(1).upperBound - 10 + last
      #expect(bytes[offset] == 1)
      #expect(verifyError(patched(bytes, at: offset, byteCount: 1, 3))?.offset == offset)
    }
  }

  @Test func `A reference to an object that does not exist is found among many`() throws {
    let references = [1, 2, 1, 2, 1].map { ArchiveReference(ArchiveObjectID($0)) }
    var writer = ArchiveWriter()
    for id in [first, second] {
      try writer.writeObject(id, typeName: "Test") { $0.encode(references, forKey: "references") }
    }
    let bytes = try writer.finish(root: first)
    try Archive(bytes).requireCanonical()
    let end = ArchiveMap(bytes).record(2).upperBound
    let error = verifyError(patched(bytes, at: end - 2, byteCount: 1, 3))
    #expect(error?.code == .damaged)
    #expect(error?.keyPath == ["references", "[3]"])
    #expect(error?.offset == end - 2)
    // These references have two bytes each. After the patch one byte is enough.
    let wide = [257, 2].map { ArchiveReference(ArchiveObjectID($0)) }
    var other = ArchiveWriter()
    for number in 1...257 {
      try other.writeObject(ArchiveObjectID(UInt32(number)), typeName: "Test") {
        if number == 257 { $0.encode(wide, forKey: "references") }
      }
    }
    let narrow = try other.finish(root: first)
    try Archive(narrow).requireCanonical()
    let start = ArchiveMap(narrow).record(257).upperBound - 4
    #expect(verifyError(patched(narrow, at: start, byteCount: 2, 7))?.code == .nonCanonical)
  }

  @Test func `Two texts that are well-formed only together are refused`() throws {
    let slots = try archiveBytes { coder in
      coder.encode("ab", forKey: "one")
      coder.encode("cd", forKey: "two")
    }
    let elements = try archiveBytes { $0.encode(["ab", "cd"], forKey: "texts") }
    for (bytes, path) in [(slots, ["one"]), (elements, ["texts", "[0]"])] {
      let middle = ArchiveMap(bytes).record(1).upperBound - 2
      var split = patched(bytes, at: middle - 1, byteCount: 1, 0xC3)
      split[middle] = 0xA9
      #expect(verifyError(split)?.code == .invalidUTF8)
      #expect(verifyError(split)?.keyPath == path)
      var whole = patched(bytes, at: middle, byteCount: 1, 0xC3)
      whole[middle + 1] = 0xA9
      #expect(verifyError(whole) == nil)
    }
  }

  /// Every class of first bytes, before every class of second, third and fourth bytes.
  @Test(arguments: [0, 3, 60, 61, 64, 69])
  func `A text is well-formed if the standard library says so`(
    place: Int
  ) throws {
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "a", count: place + 4), forKey: "text")
    }
    let body = ArchiveMap(bytes).record(1)
    try #require(body.count == place + 4)
    let leads: [UInt8] = [
      0x41, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
      0xF3,
      0xF4, 0xF5, 0xF8, 0xFF,
    ]
    let seconds: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC3]
    var count = 0
    var damaged = bytes
    for lead in leads {
      for second in seconds {
        for third in [0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
          for fourth in [0x7F, 0x80, 0xBF] as [UInt8] {
            damaged.replaceSubrange(
              body.upperBound - 4..<body.upperBound, with: [lead, second, third, fourth])
            let isText = String(validating: damaged[body], as: UTF8.self) != nil
            let error = verifyError(damaged)
            if (error == nil) != isText {
              Issue.record("\([lead, second, third, fourth]) after \(place) letters: \(isText)")
            }
            count += isText ? 1 : 0
          }
        }
      }
    }
    #expect(count > 50)
  }

  /// A value with parts of many kinds, among them records in which only the texts can be wrong.
  private struct Mixed: ArchiveRecord {
    private struct Line: ArchiveRecord {
      var number: UInt8
      var name: String
      var note: String?

      func encode(to coder: inout ObjectEncoder) {
        coder.encode(number, forKey: "number")
        coder.encode(name, forKey: "name")
        coder.encode(note, forKey: "note")
      }
      init(_ number: UInt8, _ name: String, _ note: String?) {
        (self.number, self.name, self.note) = (number, name, note)
      }
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        number = try coder.decode(forKey: "number")
        name = try coder.decode(forKey: "name")
        note = try coder.decode(forKey: "note")
      }
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode("élan", forKey: "title")
      coder.encode("plain", forKey: "subtitle")
      coder.encode(Point(x: 1, y: 2), forKey: "point")
      coder.encode([Point(x: 3, y: 4), Point(x: 5, y: 6)], forKey: "points")
      coder.encode([[1, 2], [3, 4]] as [[Int16]], forKey: "rows")
      coder.encode(["one", "zwölf", "three"], forKey: "texts")
      coder.encode(["a": 1, "b": 2], forKey: "counts")
      coder.encode(["x", "y"] as Set, forKey: "marks")
      coder.encode([true, false, true], forKey: "flags")
      let long = String(repeating: "long ", count: 60)
      coder.encode(
        [Line(200, "first", nil), Line(1, "zweite Zeile", "grün"), Line(2, "third", long)],
        forKey: "lines")
    }
    init() {}
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {}
  }

  /// Below level 32, the walk that names errors checks all values; above it, only those that another walk found unsound.
  @Test func `A changed byte has the same error at every depth`() throws {
    let depth = 70
    var limits = ArchiveLimits()
    limits.nestingDepth = 100
    let typed = try archiveBytes { $0.encode([Mixed()], forKey: "v") }
    var value = try Archive(typed).object(first).decode(DynamicValue.self, forKey: "v")
    let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
    for _ in 0..<depth { value = .array([value]) }
    let deep = try archiveBytes(limits: limits) { $0.encode(value, forKey: "v") }
    let start = ArchiveMap(bytes).payload("v")
    let end = ArchiveMap(bytes).record(1).upperBound
    let distance = ArchiveMap(deep).record(1).upperBound - end
    // A comparison of the slices would print their difference, which takes minutes.
    let areSame = bytes[start..<end].elementsEqual(deep[start + distance..<end + distance])
    try #require(areSame)
    var codes: Set<ArchiveError.Code> = []
    for offset in start..<end {
      for change: UInt8 in [0x01, 0x02, 0x40, 0x80, 0xFF] {
        let byte = UInt64(bytes[offset] ^ change)
        let one = archiveError {
          try Archive(patched(bytes, at: offset, byteCount: 1, byte), limits: limits).verify()
        }
        let other = archiveError {
          let patched = patched(deep, at: offset + distance, byteCount: 1, byte)
          try Archive(patched, limits: limits).verify()
        }
        let path = (one?.keyPath.dropFirst()).map {
          ["v"] + [String](repeating: "[0]", count: depth) + $0
        }
        let isSame =
          one?.code == other?.code && one?.message == other?.message && path == other?.keyPath
          && (one?.offset).map { $0 + distance } == other?.offset
        if !isSame { Issue.record("\(offset) ^ \(change): \(one as Any), \(other as Any)") }
        if let one { codes.insert(one.code) }
      }
    }
    #expect(codes.isSuperset(of: [.damaged, .invalidUTF8]))
  }

  private struct Pair: ArchiveRecord {
    var point: Point

    func encode(to coder: inout ObjectEncoder) { coder.encode(point, forKey: "point") }
    init() { point = Point(x: 1, y: 2) }
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      point = try coder.decode(forKey: "point")
    }
  }

  /// An array is a level, and its records or rows are the next.
  ///
  /// Their inline records are one more.
  @Test func `Levels are counted in arrays of cells and rows too`() throws {
    let points = try archiveBytes {
      $0.encode([Point](repeating: Point(x: 1, y: 2), count: 3), forKey: "v")
    }
    let rows = try archiveBytes { $0.encode([[1, 2], [3, 4]] as [[Int16]], forKey: "v") }
    let pairs = try archiveBytes { $0.encode([Pair(), Pair(), Pair()], forKey: "v") }
    for (bytes, depth) in [(points, 3), (rows, 3), (pairs, 4)] {
      for (limit, isAllowed) in [(depth - 1, false), (depth, true), (depth + 1, true)] {
        var limits = ArchiveLimits()
        limits.nestingDepth = limit
        let archive = try Archive(bytes, limits: limits)
        #expect(
          archiveError { try archive.requireCanonical() }?.code
            == (isAllowed ? nil : .limitExceeded))
        let read = archiveError { _ = try archive.object(first).dynamicRecord() }
        #expect(read?.code == (isAllowed ? nil : .limitExceeded))
      }
    }
  }

  @Test func `An inline record that is too deep is reported at its offset`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode("text", forKey: "text")
      coder.encode(UInt8(1), forKey: "number")
      coder.encode(Point(x: 1, y: 2), forKey: "point")
    }
    var limits = ArchiveLimits()
    limits.nestingDepth = 1
    let archive = try Archive(bytes, limits: limits)
    let error = archiveError { try archive.requireCanonical() }
    #expect(error?.code == .limitExceeded && error?.keyPath == ["point"])
    #expect(error?.offset == ArchiveMap(bytes).slot("point"))
  }
}
