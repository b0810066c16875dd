import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeImport
import TestSupport
import Testing

@Suite struct `A hostile keyed archive` {
  private let array = ListValue.classNamed("NSArray")

  @Test func `The error of a malformed archive names the object at fault`() {
    var files: [(KeyedFile, ImportError.Code, String)] = []
    func add(
      _ objects: [ListValue], _ reason: String, _ code: ImportError.Code = .damaged,
      _ change: (inout KeyedFile) -> Void = { _ in }
    ) {
      var file = KeyedFile(objects: objects)
      change(&file)
      files.append((file, code, reason))
    }
    let thing = ListValue.classNamed("Thing")
    add([.object(2, ("a", .uid(3))), thing], "leads to object 3, and $objects has 3")
    add([.object(2, ("a", .uid(4_294_967_295))), thing], "leads to object 4294967295")
    add([.object(9)], "leads to object 9")
    add([.uid(1)], "only a reference")
    add([.uid(2), .uid(1)], "only a reference")
    add([.object(2, ("a", .uid(3))), thing, .uid(3)], "only a reference")
    add([.object(1)], "has no name")
    add([.object(2), .string("Thing")], "has no name")
    add([.object(2), .dictionary([("$classname", .string(""))])], "has no name")
    add([.object(2), .dictionary([("$classname", .uid(1))])], "has no name")
    add([], "$objects and $top", .notKeyedArchive) { $0.archiver = .int(1) }
    add([], "version 100000", .unsupportedVersion) { $0.version = .int(99) }
    add([], "version 100000", .unsupportedVersion) { $0.version = .string("100000") }
    add([], "leads to object 1")
    add([thing], "leads to object 7") { $0.top = [("a", .uid(0)), ("b", .uid(7))] }
    for (file, code, reason) in files {
      for bytes in [file.binary, file.xml] {
        let error = importError { try ImportedArchive(bytes) }
        #expect(error?.code == code, "\(reason): \(error?.description ?? "no error")")
        #expect(error?.message.contains(reason) == true, "\(error?.description ?? "no error")")
        #expect(ImportedArchive.isKeyedArchive(bytes) == (code != .notKeyedArchive))
      }
    }
  }

  @Test func `Other property lists are no keyed archives`() throws {
    for value in [["a": 1] as [String: Any], ["$archiver": "x"], ["$objects": [Any](), "$top": 1]] {
      for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
        let bytes = Array(
          try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
        #expect(importError { try ImportedArchive(bytes) }?.code == .notKeyedArchive)
        #expect(!ImportedArchive.isKeyedArchive(bytes))
      }
    }
    for text in ["", "{}", "bplist00", "<plist>"] {
      #expect(importError { try ImportedArchive(Array(text.utf8)) } != nil)
      #expect(!ImportedArchive.isKeyedArchive(Array(text.utf8)))
    }
  }

  @Test func `A file that is larger than the options allow is refused`() {
    var options = ImportOptions()
    let bytes = KeyedFile(.int(1)).binary
    options.largestByteCount = bytes.count
    #expect(importError { try ImportedArchive(bytes, options: options) } == nil)
    options.largestByteCount -= 1
    #expect(
      importError { try ImportedArchive(bytes, options: options) }?.code == .limitExceeded)
  }

  @Test func `An array that contains itself becomes an object`() throws {
    // The array contains itself, another array that refers back to it, and a number. Keys are read in byte order.
    let file = KeyedFile(
      .object(4, ("more", .uid(3)), ("list", .uid(2))),
      .object(5, ("NS.objects", .array([.uid(2), .uid(3), .int(1)]))),
      .object(5, ("NS.objects", .array([.uid(2)]))), .classNamed("App.Root"), array)
    for bytes in [file.binary, file.xml] {
      let imported = try ImportedArchive(bytes)
      try Archive(imported.document.encoded()).requireCanonical()
      let root = try imported.document.object(ArchiveObjectID(1))
      let list = DynamicValue.reference(ArchiveObjectID(2))
      #expect(root["list"] == list && root["more"] == .array([list]))
      #expect(imported.document.objectCount == 2)
      let object = try imported.document.object(ArchiveObjectID(2))
      #expect(object.typeName == "NSArray")
      #expect(
        object["NS.objects"] == .array([list, .array([list]), .signed(1, bitWidth: 64)]))
    }
  }

  @Test func `Dictionaries, URLs and sets that contain themselves become objects`() throws {
    let objects: [(ListValue, String)] = [
      (
        .object(2, ("NS.keys", .array([.string("a")])), ("NS.objects", .array([.uid(1)]))),
        "NSDictionary"
      ),
      (
        .object(2, ("NS.keys", .array([.uid(1)])), ("NS.objects", .array([.int(1)]))),
        "NSMutableDictionary"
      ),
      (.object(2, ("NS.base", .uid(1)), ("NS.relative", .string("a"))), "NSURL"),
      (.object(2, ("NS.objects", .array([.uid(1)]))), "NSSet"),
      (.object(2, ("NS.object.0", .uid(1))), "NSOrderedSet"),
    ]
    for (object, name) in objects {
      let imported = try ImportedArchive(KeyedFile(object, .classNamed(name)).binary)
      let root = try imported.document.object(ArchiveObjectID(1))
      #expect(root["root"] == .reference(ArchiveObjectID(2)), "\(name)")
      #expect(try imported.document.object(ArchiveObjectID(2)).typeName == name)
      try Archive(imported.document.encoded()).requireCanonical()
    }
    // A text that contains itself is not a text, so it becomes a record.
    let text = KeyedFile(.object(2, ("NS.string", .uid(1))), .classNamed("NSString"))
    let imported = try ImportedArchive(text.binary)
    #expect(imported.classes.first?.name == "NSString")
  }

  /// Arrays that each contain the next one.
  private func nested(_ levels: Int) -> KeyedFile {
    KeyedFile(
      objects: [.object(levels + 2, ("list", .uid(2)))]
        + (0..<levels).map { level in
          .object(
            levels + 3, ("NS.objects", .array(level == levels - 1 ? [] : [.uid(level + 3)])))
        } + [.classNamed("App.Root"), array])
  }

  @Test(arguments: [30, 31, 32, 33, 64, 100_000])
  func `Arrays of any number of levels are imported, the deep ones as objects`(levels: Int) throws {
    let imported = try ImportedArchive(nested(levels).binary)
    // The root has the arrays of 31 levels, and each further object is one of them and has 30.
    #expect(imported.document.objectCount == (levels <= 31 ? 1 : 2 + (levels - 32) / 31))
    try Archive(imported.document.encoded()).requireCanonical()
  }

  @Test(arguments: [59, 60, 1_000])
  func `Arrays without an index of their own have at most 59 levels`(levels: Int) {
    var value = ListValue.array([])
    for _ in 1..<levels { value = .array([value]) }
    let file = KeyedFile(.object(2, ("list", value)), .classNamed("App.Root"))
    let error = importError { () throws in
      let imported = try ImportedArchive(file.binary)
      try Archive(imported.document.encoded()).requireCanonical()
    }
    if levels <= 59 {
      #expect(error == nil, "\(error?.description ?? "")")
    } else {
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func `A chain of many objects is imported without recursion`() throws {
    let count = 100_000
    let file = KeyedFile(
      objects: (1...count).map { .object(count + 1, ("next", .uid($0 == count ? 0 : $0 + 1))) }
        + [.classNamed("Node")])
    let imported = try ImportedArchive(file.binary)
    #expect(imported.document.objectCount == count)
    #expect(imported.classes.first?.objectCount == count)
  }

  /// Arrays that each contain the next one twice.
  private func doubling(_ levels: Int) -> KeyedFile {
    KeyedFile(
      objects: [.object(levels + 2, ("list", .uid(2)))]
        + (0..<levels).map { level in
          .object(
            levels + 3,
            ("NS.objects", .array(level == levels - 1 ? [] : [.uid(level + 3), .uid(level + 3)])))
        } + [.classNamed("App.Root"), array])
  }

  @Test func `Shared arrays are copied, and refused where the copies grow too much`() throws {
    #expect(importError { try ImportedArchive(doubling(8).binary) } == nil)
    for levels in [16, 25, 60] {
      let error = importError { try ImportedArchive(doubling(levels).binary) }
      #expect(error?.code == .limitExceeded, "\(levels)")
      #expect(error?.message.contains("many times as long") == true)
    }
  }

  @Test func `A long text that is referred to often is refused where its copies grow too much`() {
    let text = ListValue.string(String(repeating: "x", count: 100_000))
    for (count, isRefused) in [(100, false), (1_000, true)] {
      let file = KeyedFile(
        .object(3, ("list", .array((0..<count).map { _ in .uid(2) }))), text,
        .classNamed("App.Root"))
      let error = importError { try ImportedArchive(file.binary) }
      #expect((error?.code == .limitExceeded) == isRefused, "\(error?.description ?? "")")
    }
  }

  // Each reference of the inner array is in the file once, and in the value 200 times.
  @Test func `References in an array that is named often are refused where they grow too much`() {
    for (count, isRefused) in [(20, false), (200, true)] {
      let (outer, inner) = ([UInt8](repeating: 1, count: count), [UInt8](repeating: 2, count: 200))
      let head = { (elements: [UInt8]) in [0xAF, 0x10, UInt8(elements.count)] + elements }
      let file = BinaryFile.of([head(outer), head(inner), [0x80, 1]])
      let error = importError { try ImportedArchive(file) }
      #expect((error?.code == .limitExceeded) == isRefused, "\(error?.description ?? "")")
    }
  }

  @Test func `A URL of many keys is refused where it is read again too often`() {
    let keys = (0..<5_000).map { ("key \($0)", ListValue.bool(true)) }
    let url = ListValue.dictionary(
      keys + [("NS.base", .uid(0)), ("NS.relative", .uid(4)), ("$class", .uid(5))])
    for (count, isRefused) in [(1_000, false), (10_000, true)] {
      let file = KeyedFile(
        .object(3, ("list", .array((0..<count).map { _ in .uid(2) }))), url,
        .classNamed("App.Root"), .string("a:b"), .classNamed("NSURL"))
      let error = importError { try ImportedArchive(file.binary) }
      #expect((error?.code == .limitExceeded) == isRefused, "\(error?.description ?? "")")
    }
  }

  @Test func `Offsets and counts beyond the file are refused`() {
    let whole = KeyedFile(.object(2, ("a", .uid(1))), .classNamed("App.Root")).binary
    for count in 0..<whole.count {
      #expect(importError { try ImportedArchive(Array(whole[..<count])) } != nil)
    }
    for offset in whole.indices {
      for byte: UInt8 in [0x00, 0x0F, 0x7F, 0x80, 0xA1, 0xDF, 0xFF] {
        var other = whole
        other[offset] = byte
        // Any result is fine, as long as the process continues.
        if let imported = try? ImportedArchive(other) {
          if let bytes = try? imported.document.encoded() {
            _ = try? Archive(bytes).requireCanonical()
          }
        }
      }
    }
  }

  @Test func `Entities of XML are refused`() {
    let text = """
      <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
      <plist><dict><key>$archiver</key><string>&b;</string></dict></plist>
      """
    let error = importError { try ImportedArchive(Array(text.utf8)) }
    #expect(error?.message.contains("a document type of its own") == true)
  }

  @Test func `An object of many keys with escaped names is imported`() throws {
    // Each object has a key of its own name, and the names begin with escaped dollar signs.
    let count = 20_000
    let keys = (0..<count).map { ("$$\($0)", ListValue.int($0)) }
    let file = KeyedFile(
      .dictionary([("$class", .uid(2))] + keys), .classNamed("App.Root"))
    let imported = try ImportedArchive(file.binary)
    #expect(try imported.document.object(ArchiveObjectID(1)).fields.count == count)
  }
}

@Suite struct `The texts of dates and bytes` {
  @Test func `A text of a date is read as Foundation reads it`() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let seconds = Double(Int.random(in: -63_114_076_800...252_000_000_000, using: &generator))
      let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
      guard text.utf8.count == 20 else { continue }
      let value = try? PropertyListText.date(text)
      #expect(value == seconds, "\(text)")
    }
  }

  @Test func `A text of base 64 is read as Foundation reads it`() throws {
    var generator = SeededGenerator(seed: 6)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(try PropertyListText.bytes(Data(bytes).base64EncodedString()) == bytes)
    }
    for text in ["A", "AA", "AAA", "=", "====", "A===", "AB==", "AAB=", "AA=A", "AAA=AAAA"] {
      #expect(importError { try PropertyListText.bytes(text) }?.code == .damaged, "\(text)")
    }
  }
}

/// Values of XML that are read as part of an archive.
private enum PropertyListText {
  static func date(_ text: String) throws -> Double? {
    guard case .date(let date)? = try value("<date>\(text)</date>") else { return nil }
    return date.secondsSinceReferenceDate
  }

  static func bytes(_ text: String) throws -> [UInt8]? {
    guard case .bytes(let bytes)? = try value("<data>\(text)</data>") else { return nil }
    return bytes
  }

  private static func value(_ element: String) throws -> DynamicValue? {
    let file = """
      <plist><dict><key>$archiver</key><string>a</string><key>$objects</key><array/>
      <key>$top</key><dict><key>a</key>\(element)</dict></dict></plist>
      """
    return try ImportedArchive(Array(file.utf8)).document.object(ArchiveObjectID(1))["a"]
  }
}
