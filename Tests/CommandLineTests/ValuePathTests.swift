import CommandSupport
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `The path of a value` {
  @Test(
    arguments: [
      ("", nil, []), ("a", nil, [.name("a")]), (".a.b c", nil, [.name("a"), .name("b c")]),
      ("a[0].b", nil, [.name("a"), .index(0), .name("b")]), ("[-12]", nil, [.index(-12)]),
      ("@7", 7, []), ("@4294967295.x", UInt32.max, [.name("x")]),
      ("@1[2][3]", 1, [.index(2), .index(3)]),
      (#"["a]b"].c"#, nil, [.quoted("a]b"), .name("c")]),
      (#"a["\"\\x"]"#, nil, [.name("a"), .quoted("\"\\x")]),
      ("a[\"\"]", nil, [.name("a"), .quoted("")]),
      ("é.ü[\"ö\"][1]", nil, [.name("é"), .name("ü"), .quoted("ö"), .index(1)]),
      ("a@1", nil, [.name("a@1")]), ("a]", nil, [.name("a]")]),
    ] as [(String, UInt32?, [ValuePath.Step])])
  func `A path begins at the root or an object, and continues step by step`(
    text: String, start: UInt32?, steps: [ValuePath.Step]
  ) throws {
    let path = try ValuePath(text)
    #expect(path.start == start.map { .object(ArchiveObjectID($0)) })
    #expect(path.steps == steps)
  }

  @Test(
    arguments: [
      ".", "a.", "a..b", "a[", "a[1", "a[]", "a[x]", "a[1]b", "a[\"b", "a[\"b\"", "a[\"b\"x]",
      "a[\"\\",
      "@", "@4294967296", "@1x", "@-1", "@[x]", "@.a", "a[1..<2].b", "a[1..2]", "a[-1..<2]",
      "a[9999999999999999999..<1]",
    ])
  func `A malformed path is reported with examples`(text: String) {
    let failure = refusal { try ValuePath(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("contacts[0].name") == true)
    #expect(failure?.message.hasPrefix("\"\(text)\" ") == true)
  }

  @Test(
    arguments: [
      ("@Note", "Note", []), ("@Note.draft", "Note", [.name("draft")]),
      ("@Note[0]", "Note", [.index(0)]), (#"@["My Type"].x"#, "My Type", [.name("x")]),
    ] as [(String, String, [ValuePath.Step])])
  func `A path may begin at a type or an identifier`(
    text: String, name: String, steps: [ValuePath.Step]
  ) throws {
    let path = try ValuePath(text)
    #expect(path.start == .named(name) && path.steps == steps)
  }

  @Test(
    arguments: [
      ("log[100..<200]", 100, 200), ("log[5...9]", 5, 10), ("log[3...]", 3, nil),
      ("log[..<10]", 0, 10), ("log[...9]", 0, 10), ("log[7..<]", 7, nil), ("log[...]", 0, nil),
    ] as [(String, Int, Int?)])
  func `A path may end with a range of places`(text: String, first: Int, end: Int?) throws {
    let path = try ValuePath(text)
    #expect(path.steps == [.name("log")])
    #expect(path.places == ValuePath.Places(first: first, end: end))
    #expect(path.places?.range(in: 6) == min(first, min(end ?? 6, 6))..<min(end ?? 6, 6))
  }

  @Test(
    arguments: [
      ("fontsize", "fontSize"), ("colr", "color"), ("inspct", "inspect"), ("veirfy", "verify"),
    ])
  func `The nearest name is suggested`(typed: String, meant: String) {
    let names = ["fontSize", "color", "inspect", "verify", "open"]
    #expect(Suggestion.nearest(to: typed, in: names) == meant)
    #expect(Suggestion.nearest(to: "elephant", in: names) == nil)
    #expect(Suggestion.nearest(to: String(repeating: "x", count: 65), in: names) == nil)
  }

  /// A root with values of many kinds, and a second object.
  private func archive() throws -> Archive {
    var writer = ArchiveWriter()
    writer.conditionalObjects = [ArchiveObjectID(2), nil]
    let people: [DynamicValue] = [
      .record(.init(fields: [.init(key: "n", value: .string("x"))])), .string("y"),
    ]
    let numbers: [DynamicEntry] = [
      .init(key: .signed(-1, bitWidth: 8), value: .string("minus one")),
      .init(key: .signed(1, bitWidth: 8), value: .string("one")),
    ]
    let large: [DynamicEntry] = [
      .init(key: .unsigned(3, bitWidth: 8), value: .string("three")),
      .init(key: .unsigned(.max, bitWidth: 64), value: .string("largest")),
    ]
    try writer.writeObject(.init(1), typeName: "Root") { coder in
      coder.encodeFields(
        of: .init(fields: [
          .init(key: "people", value: .array(people)),
          .init(key: "numbers", value: .dictionary(numbers)),
          .init(key: "large", value: .dictionary(large)),
          .init(key: "flags", value: .dictionary([.init(key: .bool(true), value: .string("yes"))])),
          .init(key: "names", value: .dictionary([.init(key: .string("a.b"), value: .null)])),
          .init(key: "other", value: .reference(.init(2))),
          .init(key: "nobody", value: .reference(nil)),
          .init(key: "maybe", value: .conditionalReference(.init(1))),
          .init(key: "gone", value: .conditionalReference(.init(2))),
          .init(key: "never", value: .conditionalReference(.init(0))),
          .init(scope: ["S", "T"], key: "k", value: .string("in scopes")),
          .init(key: "x.y", value: .array([.string("periods")])),
        ]))
    }
    try writer.writeObject(.init(2), typeName: "Other", template: "main") {
      $0.encode("text", forKey: "draft")
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  private func text(_ path: String) throws -> String {
    var writer = JSONWriter()
    try ValueFinder(archive()).place(at: ValuePath(path)).walk(&writer)
    return writer.text
  }

  @Test(
    arguments: [
      ("people[0].n", "\"x\""), ("people[1]", "\"y\""), ("people[0][\"n\"]", "\"x\""),
      ("numbers[1]", "\"one\""), ("numbers[-1]", "\"minus one\""), ("large[3]", "\"three\""),
      ("flags.true", "\"yes\""), ("flags[\"true\"]", "\"yes\""), ("names[\"a.b\"]", "null"),
      ("other.draft", "\"text\""), ("maybe.draft", "\"text\""), ("@2.draft", "\"text\""),
      ("S.T.k", "\"in scopes\""), ("[\"S.T\"].k", "\"in scopes\""), ("x.y[0]", "\"periods\""),
      ("nobody", "null"), ("maybe", "{\"conditionalReference\":1}"), ("never", "null"),
    ])
  func `A path leads to its value`(path: String, value: String) throws {
    #expect(try text(path) == value)
  }

  @Test func `A path that ends at a reference shows the object`() throws {
    let object = try text("other")
    #expect(object.contains("\"draft\":\"text\""))
    #expect(try object == text("@2"))
    #expect(try text("") == text("@1"))
  }

  @Test(
    arguments: [
      ("people[2]", "There is no [2] in an array of 2;"),
      ("people[-1]", "There is no [-1] in an array of 2;"),
      ("people.n", "There is no .n in an array of 2;"),
      ("nothing", "There is no .nothing in object #1;"),
      ("other[\"x\"]", "There is no [\"x\"] in object #2;"),
      ("numbers[2]", "There is no [2] in "), ("numbers[\"one\"]", "There is no [\"one\"] in "),
      ("large[-1]", "There is no [-1] in "), ("S.T", "There is no .S in object #1;"),
      ("nobody.x", "There is no .x in "), ("gone.x", "There is no .x in no object;"),
      ("never.x", "There is no .x in no object;"), ("names[\"a.b\"].c", "There is no .c in a nil;"),
      ("people[1].n", "There is no .n in a value of type String;"),
      ("@3", "There is no object #3; the archive has 2,"), ("@0", "There is no object #0;"),
    ])
  func `A path without a value is reported with the step that failed`(path: String, message: String)
  {
    let failure = refusal { try text(path) }
    #expect(failure?.status == .noInput)
    #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
  }

  @Test(
    arguments: [
      ("Root", "\"@Root\""), ("othre.draft", "\"other\""), ("Othr", "\"other\""),
      ("@Othr", "\"@Other\""), ("Rooot.people", "\"@Root\""),
    ])
  func `The nearest key is suggested, and after it the nearest object`(
    path: String, suggestion: String
  ) {
    let message = refusal { try text(path) }?.message
    #expect(message?.contains("; did you mean \(suggestion)? ") == true, "\(message ?? "")")
  }

  @Test func `An object is suggested only for the first step of a path`() {
    let message = refusal { try text("other.Root") }?.message
    #expect(message?.contains("did you mean") == false, "\(message ?? "")")
  }

  @Test(arguments: ["Note", "App.Note", "7", "-7", "a[0]", "My Type", #"a."b\c"#])
  func `A path that is made of an object's name starts at this name`(name: String) throws {
    let path = try ValuePath(ValuePath.spelling(of: name))
    #expect(path.start == .named(name) && path.steps.isEmpty)
  }
}
