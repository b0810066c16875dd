import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeImport
import KeepsakeMigration
import TestSupport
import Testing

/// A class as old programs have them.
final class OldContact: NSObject, NSCoding {
  var name = ""
  var age = 0
  var friends: [OldContact] = []
  weak var manager: OldContact?
  var picture: Data?

  init(name: String, age: Int) { (self.name, self.age) = (name, age) }

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(age, forKey: "age")
    coder.encode(friends, forKey: "friends")
    coder.encodeConditionalObject(manager, forKey: "manager")
    coder.encode(picture, forKey: "picture")
    coder.encode(Float(0.5), forKey: "score")
    coder.encode(true, forKey: "$isOld")
  }
}

/// A class with a superclass that writes keys, too.
final class OldFolder: NSObject, NSCoding {
  var contacts: NSMutableDictionary = [:]
  override init() {}
  required init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) { coder.encode(contacts, forKey: "contacts") }
}

@Suite struct `The objects of a keyed archive` {
  private let oldName = "KeepsakeImportTests.OldContact"

  private func options() -> ImportOptions {
    var options = ImportOptions()
    options.typeNames = [oldName: "Contact", "KeepsakeImportTests.OldFolder": "Folder"]
    return options
  }

  private func circle() -> OldContact {
    let (ada, ben) = (OldContact(name: "Ada", age: 36), OldContact(name: "Ben", age: 7))
    ada.friends = [ben, ben, ada]
    ben.friends = [ada]
    ben.manager = ada
    ada.picture = Data([1, 2, 3])
    return ada
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `Objects keep their identity, cycles and keys`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let root = circle()
    let imported = try ImportedArchive(keyedArchive(root, format), options: options())
    let archive = try Archive(imported.document.encoded())
    try archive.requireCanonical()
    #expect(archive.objectCount == 2)
    let ada = try imported.document.object(ArchiveObjectID(1))
    let ben = try imported.document.object(ArchiveObjectID(2))
    #expect(ada.typeName == "Contact" && ben.typeName == "Contact")
    #expect(ada["name"] == .string("Ada") && ben["name"] == .string("Ben"))
    #expect(ada["age"] == .signed(36, bitWidth: 64) && ada["picture"] == .bytes([1, 2, 3]))
    #expect(
      ada["friends"]
        == .array([
          .reference(ArchiveObjectID(2)), .reference(ArchiveObjectID(2)),
          .reference(ArchiveObjectID(1)),
        ]))
    #expect(ben["friends"] == .array([.reference(ArchiveObjectID(1))]))
    #expect(ben["manager"] == .reference(ArchiveObjectID(1)) && ben["picture"] == .null)
    #expect(ada["$isOld"] == .bool(true))
    #expect(ada["score"] == (format == .xml ? .double(0.5) : .float(0.5)))
    #expect(
      imported.classes
        == imported.classes.filter {
          $0.name == oldName && $0.typeName == "Contact" && $0.objectCount == 2
            && $0.superclasses == ["NSObject"] && $0.keys.contains("friends")
        } && imported.classes.count == 1)
    withExtendedLifetime(root) {}
  }

  @Test func `A nil becomes a nil reference if other objects have a reference under the key`()
    throws
  {
    let file = KeyedFile(
      .object(3, ("next", .uid(2)), ("title", .uid(0))),
      .object(3, ("next", .uid(0)), ("title", .uid(0))), .classNamed("Node"))
    let imported = try ImportedArchive(file.binary)
    let last = try imported.document.object(ArchiveObjectID(2))
    #expect(last["next"] == .reference(nil) && last["title"] == .null)
  }

  @Test func `A nil stays a nil if other objects have no reference under its key`() throws {
    let file = KeyedFile(
      .object(3, ("next", .uid(2)), ("label", .uid(4))),
      .object(3, ("next", .uid(0)), ("label", .uid(0))), .classNamed("Node"), .string("x"))
    let imported = try ImportedArchive(file.binary)
    let last = try imported.document.object(ArchiveObjectID(2))
    #expect(last["label"] == .null && last["next"] == .reference(nil))
  }

  @Test func `A root beside other values at the top becomes one key of a record`() throws {
    var file = KeyedFile(.object(2, ("age", .int(7))), .classNamed("App.Person"))
    file.top.append(("version", .int(3)))
    let imported = try ImportedArchive(file.binary)
    let top = try imported.document.object(try #require(imported.document.rootID))
    #expect(top["version"] == .signed(3, bitWidth: 64) && top["root"] != nil)
    #expect(imported.document.objectCount == 2)
  }

  @Test func `Objects of a class with other keys, or in another order, keep their own`() throws {
    // Twelve sets of keys, more than a class remembers, each in two orders and twice.
    let sets = (0..<12).map { number in (0...number).map { "key \($0)" } }
    let reversed = sets.map { Array($0.reversed()) }
    let lists: [[String]] = (sets + reversed + sets).map { ["other"] + $0 }
    let count = lists.count
    var objects: [ListValue] = []
    for (index, keys) in lists.enumerated() {
      var members: [(String, ListValue)] = [("$class", .uid(count + 2))]
      for key in keys where key != "other" { members.append((key, .string("\(index) \(key)"))) }
      members.append(("other", .uid(index % 2)))
      objects.append(.dictionary(members))
    }
    let root = ListValue.object(
      count + 2, ("list", .array(objects.indices.map { .uid($0 + 2) })))
    let file = KeyedFile(objects: [root] + objects + [.classNamed("Thing")])
    for bytes in [file.binary, file.xml] {
      let imported = try ImportedArchive(bytes)
      #expect(imported.classes.first?.objectCount == count + 1)
      #expect(imported.classes.first?.keys == (sets[11] + ["list", "other"]).sorted())
      for (index, keys) in lists.enumerated() {
        let record = try imported.document.object(ArchiveObjectID(UInt32(index + 2)))
        #expect(record.fields.map(\.key.name) == keys.sorted())
        for key in keys where key != "other" {
          #expect(record[ArchiveKey(key)] == .string("\(index) \(key)"))
        }
        #expect(record["other"] == .reference(index % 2 == 0 ? nil : ArchiveObjectID(1)))
      }
    }
  }

  @Test func `Objects of many keys keep their values in any order of the keys`() throws {
    let keyCount = 40
    let objects = (0..<100).map { object -> ListValue in
      // 7 and 40 have no common divisor, so each key occurs once.
      let keys = (0..<keyCount).map { ($0 * 7 + object) % keyCount }
      return .dictionary(
        keys.map { ("key \($0)", .int(object * 1_000 + $0)) } + [("$class", .uid(101))])
    }
    var file = KeyedFile(objects: objects + [.classNamed("Row")])
    file.top = (0..<100).map { ("\($0)", .uid($0 + 1)) }
    let imported = try ImportedArchive(file.binary)
    #expect(imported.classes.first?.keys.count == keyCount)
    // The record at the top is the first object, and its keys are sorted by their bytes.
    let sorted = (0..<100).sorted { "\($0)" < "\($1)" }
    for (index, object) in sorted.enumerated() {
      let record = try imported.document.object(ArchiveObjectID(UInt32(index) + 2))
      #expect(record.fields.count == keyCount)
      for field in record.fields {
        let number = Int64(field.key.name.dropFirst(4)) ?? -1
        #expect(field.value == .signed(Int64(object) * 1_000 + number, bitWidth: 64))
      }
    }
  }

  @Test func `A class keeps its name when the caller gives no table of names`() throws {
    let imported = try ImportedArchive(keyedArchive(OldContact(name: "Ada", age: 1)))
    #expect(try imported.document.object(ArchiveObjectID(1)).typeName == oldName)
  }

  @Test func `Objects in a dictionary are referred to`() throws {
    let (folder, ada) = (OldFolder(), OldContact(name: "Ada", age: 1))
    folder.contacts = ["first": ada, "again": ada]
    let imported = try ImportedArchive(keyedArchive(folder), options: options())
    let root = try imported.document.object(ArchiveObjectID(1))
    guard case .dictionary(let entries)? = root["contacts"] else {
      return #expect(Bool(false), "the value is not a dictionary")
    }
    #expect(entries.count == 2 && root.typeName == "Folder")
    #expect(entries.allSatisfy { $0.value == .reference(ArchiveObjectID(2)) })
  }

  @Test func `Sets of objects and dictionaries under objects become arrays`() throws {
    let file = KeyedFile(
      .object(6, ("set", .uid(2)), ("map", .uid(3))),
      .object(7, ("NS.objects", .array([.uid(4), .uid(5)]))),
      .object(8, ("NS.keys", .array([.uid(4)])), ("NS.objects", .array([.uid(5)]))),
      .object(6), .object(6), .classNamed("App.Thing"), .classNamed("NSSet"),
      .classNamed("NSDictionary"))
    for bytes in [file.binary, file.xml] {
      let imported = try ImportedArchive(bytes)
      let root = try imported.document.object(ArchiveObjectID(1))
      let two = DynamicValue.reference(ArchiveObjectID(2))
      let three = DynamicValue.reference(ArchiveObjectID(3))
      // The keys of an object are read in the order of the file.
      #expect(root["set"] == .array([two, three]))
      #expect(
        root["map"]
          == .array([
            .record(
              DynamicRecord(fields: [
                .init(key: "key", value: two), .init(key: "value", value: three),
              ]))
          ]))
      try Archive(imported.document.encoded()).requireCanonical()
    }
  }

  @Test func `A class that is not understood becomes a record of its keys and is listed`() throws {
    // A subclass, a class of a framework, and one of Foundation's classes with other keys.
    let file = KeyedFile(
      .object(5, ("a", .uid(2)), ("b", .uid(3)), ("c", .uid(4))),
      .object(6, ("NS.objects", .array([.int(1)])), ("title", .string("t"))),
      .object(7, ("UIRed", .real(1)), ("$0", .int(2)), ("$$x", .int(3))),
      .object(8, ("NS.other", .int(1))),
      .classNamed("App.Root"), .classNamed("App.List", "NSMutableArray", "NSArray"),
      .classNamed("UIColor"), .classNamed("NSDate"))
    for bytes in [file.binary, file.xml] {
      let imported = try ImportedArchive(bytes)
      #expect(
        imported.classes.map { "\($0.name) \($0.superclasses.first ?? "") \($0.keys)" } == [
          #"App.List NSMutableArray ["NS.objects", "title"]"#,
          #"App.Root NSObject ["a", "b", "c"]"#, #"NSDate NSObject ["NS.other"]"#,
          #"UIColor NSObject ["$0", "$x", "UIRed"]"#,
        ])
      let list = try imported.document.object(ArchiveObjectID(2))
      #expect(list.typeName == "App.List" && list["title"] == .string("t"))
      #expect(list["NS.objects"] == .array([.signed(1, bitWidth: 64)]))
    }
  }

  @Test func `A key that was escaped keeps its dollar signs if another key has its name`() throws {
    let file = KeyedFile(
      .object(2, ("$0", .int(1)), ("$$0", .int(2))), .classNamed("App.Root"))
    let root = try ImportedArchive(file.binary).document.object(ArchiveObjectID(1))
    #expect(root["$0"] == .signed(1, bitWidth: 64) && root["$$0"] == .signed(2, bitWidth: 64))
  }

  @Test func `Values that Apple's systems write in other keys are read`() throws {
    let array = ListValue.classNamed("NSArray")
    let cases: [(ListValue, ListValue, DynamicValue)] = [
      (.object(2, ("NS.bytes", .data([65]))), .classNamed("NSMutableString"), .string("A")),
      (.object(2, ("NS.bytes", .data([65]))), .classNamed("NSMutableData"), .bytes([65])),
      (
        .object(2, ("NS.time", .int(5))), .classNamed("NSDate"),
        .date(ArchiveDate(secondsSinceReferenceDate: 5))
      ),
      (.object(2, ("NS.intval", .int(5))), .classNamed("NSNumber"), .signed(5, bitWidth: 64)),
      (
        .object(2, ("NS.object.1", .int(2)), ("NS.object.0", .int(1))),
        .classNamed("NSOrderedSet"),
        .array([.signed(1, bitWidth: 64), .signed(2, bitWidth: 64)])
      ),
      (.array([.int(1), .uid(0)]), array, .array([.signed(1, bitWidth: 64), .null])),
      (
        .dictionary([("a", .uid(0))]), array,
        .dictionary([.init(key: .string("a"), value: .null)])
      ),
      (
        .object(2, ("NS.base", .uid(0)), ("NS.relative", .string("a:b"))), .classNamed("NSURL"),
        .url(ArchiveURL("a:b"))
      ),
    ]
    for (object, itsClass, value) in cases {
      let file = KeyedFile(object, itsClass)
      for bytes in [file.binary, file.xml] {
        let imported = try ImportedArchive(bytes)
        #expect(try imported.document.object(ArchiveObjectID(1))["root"] == value)
        #expect(imported.classes.isEmpty)
      }
    }
  }

  @Test func `A migration continues from an imported archive`() throws {
    var options = options()
    options.reserved = ReservedValues(bundleVersion: "1.0")
    let imported = try ImportedArchive(keyedArchive(circle()), options: options)
    let (one, two) = (try BundleVersion("1.0"), try BundleVersion("2.0"))
    let plan = try MigrationPlan(
      programVersion: two,
      steps: [
        MigrationStep(
          from: one, to: two, "names are given names",
          edits: [
            .renameKey("name", to: "givenName", ofType: "Contact"),
            .removeKey("score", ofType: "Contact"),
          ])
      ])
    let migrated = try plan.migrate(Archive(imported.document.encoded()))
    let archive = try Archive(#require(migrated.bytes))
    let root = try archive.object(archive.rootID)
    #expect(try root.decode(String.self, forKey: "givenName") == "Ada")
    #expect(try root.decodeIfPresent(Double.self, forKey: "score") == nil)
  }
}
