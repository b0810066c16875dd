import MacroCode
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

private func macros(_ missing: [String]) -> [String: MacroSpec] {
  let types: [(String, any Macro.Type)] = [
    ("Archivable", ArchivableMacro.self), ("ArchivableClass", ArchivableMacro.self),
    ("ArchivableSubclass", ArchivableSubclassMacro.self), ("Key", MarkingMacro.self),
    ("Default", MarkingMacro.self), ("Ignored", MarkingMacro.self),
    ("ObjectReference", MarkingMacro.self),
  ]
  return Dictionary(
    uniqueKeysWithValues: types.map { name, type in
      (name, MacroSpec(type: type, conformances: missing.map { "\(raw: $0)" }))
    })
}

/// The code that a source expands to when its types lack the conformances in `missing`, and the reports, each with its
/// place.
private func expansion(
  of source: String, missing: [String] = ["ArchiveObject"]
) -> (code: SourceFileSyntax?, reports: [String]) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Module", fullFilePath: "File.swift")])
  let code = file.expand(
    macroSpecs: macros(missing),
    contextGenerator: {
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2))
  let reports = context.diagnostics.map { diagnostic in
    let place = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "File.swift")
    let severity = diagnostic.diagMessage.severity
    return "\(place.line):\(place.column) "
      + (severity == .error ? "" : "\(severity): ") + diagnostic.message
  }
  return (code.as(SourceFileSyntax.self), reports)
}

private func expectExpansion(
  _ source: String, is expanded: String, reporting reports: [String] = [],
  missing: [String] = ["ArchiveObject"], location: Testing.SourceLocation = #_sourceLocation
) throws {
  let found = expansion(of: source, missing: missing)
  let code = try #require(found.code, sourceLocation: location)
  #expect(!code.hasError, sourceLocation: location)
  #expect(
    code.description.trimmingPrefix(while: \.isNewline) == expanded, sourceLocation: location)
  #expect(found.reports == reports, sourceLocation: location)
}

@Suite struct `The code that @Archivable writes` {
  @Test func `The code for a structure is what one would write by hand`() throws {
    try expectExpansion(
      """
      @Archivable(typeName: "Contact", schemaVersion: 2)
      public struct Contact {
        @Key("name", aliases: ["title"]) var heading: String
        var note: String?
        @Default(0) var count: Int
        @Ignored var isSelected = false
      }
      """,
      is: """
        public struct Contact {
          var heading: String
          var note: String?
          var count: Int
          var isSelected = false
        }

        extension Contact: ArchiveRecord {
          public static var archiveTypeName: String {
            "Contact"
          }
          public static var archiveSchemaVersion: UInt32 {
            2
          }
          public func encode(to coder: inout ObjectEncoder) {
            coder.encode(heading, forKey: "name")
            coder.encode(note, forKey: "note")
            coder.encode(count, forKey: "count")
          }
          public init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
            let heading: String = try coder.decode(forKey: coder.contains("name") ? "name" : coder.contains("title") ? "title" : "name")
            let note: String? = try coder.decodeIfPresent(forKey: "note")
            let count: Int = try coder.decode(forKey: "count", default: 0)
            self.heading = heading
            self.note = note
            self.count = count
          }
        }
        """, missing: ["ArchiveRecord"])
  }

  @Test func `The code reads properties of unnamed types, and one that is named "coder"`() throws {
    try expectExpansion(
      """
      enum Outer {
        @Archivable
        struct Inner {
          var sibling: Sibling
          var parts: [String: [Int]?]
          var order = Order.byName
          var width = 1
          var coder = false
        }
      }
      """,
      is: """
        enum Outer {
          struct Inner {
            var sibling: Sibling
            var parts: [String: [Int]?]
            var order = Order.byName
            var width = 1
            var coder = false
          }
        }

        extension Outer.Inner: ArchiveRecord {
          func encode(to coder: inout ObjectEncoder) {
            coder.encode(sibling, forKey: "sibling")
            coder.encode(parts, forKey: "parts")
            coder.encode(order, forKey: "order")
            coder.encode(width, forKey: "width")
            coder.encode(self.coder, forKey: "coder")
          }
          init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
            self.sibling = try coder.decode(forKey: "sibling")
            let parts: [String: [Int]?] = try coder.decode(forKey: "parts")
            self.order = try coder.decode(forKey: "order")
            let width: Int = try coder.decode(forKey: "width")
            self.coder = try coder.decode(forKey: "coder")
            self.parts = parts
            self.width = width
          }
        }
        """, missing: ["ArchiveRecord"])
  }

  @Test func `The code for an enumeration names its cases and values`() throws {
    try expectExpansion(
      """
      @Archivable
      enum Route {
        case home
        @Key("show") case page(String, isEditing: Bool?)
      }
      """,
      is: """
        enum Route {
          case home
          case page(String, isEditing: Bool?)
        }

        extension Route: ArchiveEnumeration {
          var archiveCase: ArchiveKey {
            switch self {
            case .home:
              "home"
            case .page:
              "show"
            }
          }
          func encode(to coder: inout ObjectEncoder) {
            switch self {
            case .home:
              break
            case .page(let value0, let value1):
              coder.encode(value0, forKey: "_0")
              coder.encode(value1, forKey: "isEditing")
            }
          }
          init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError) {
            switch archiveCase {
            case "home":
              self = .home
            case "show":
              self = .page(
                try coder.decode(forKey: "_0"),
                isEditing: try coder.decodeIfPresent(forKey: "isEditing"))
            default:
              throw .unknownCase(archiveCase, of: Self.self)
            }
          }
        }
        """, missing: ["ArchiveEnumeration"])
  }

  @Test func `The code for an enumeration with raw values is only the conformance`() throws {
    try expectExpansion(
      "@Archivable\nenum Order: String {\n  case byName\n}",
      is: "enum Order: String {\n  case byName\n}\n\nextension Order: ArchiveValue {\n}",
      missing: ["ArchiveValue"])
  }

  @Test func `The code for a class is in the class, and its superclass has a scope`() throws {
    try expectExpansion(
      """
      @ArchivableSubclass
      open class Circle: Shape {
        var radius = 1.0
        @ObjectReference weak var owner: Shape?
      }
      """,
      is: """
        open class Circle: Shape {
          var radius = 1.0
          weak var owner: Shape?

          open override class var archiveTypeName: String {
            "Circle"
          }

          open override class var archiveSchemaVersion: UInt32 {
            0
          }

          open override func encode(to coder: inout ObjectEncoder) {
            coder.withScope(Shape.archiveTypeName) {
              super.encode(to: &$0)
            }
            coder.encode(radius, forKey: "radius")
            coder.encodeConditionalReference(owner, forKey: "owner")
          }

          public required init(from coder: borrowing ObjectDecoder) throws {
            let radius: Double = try coder.decode(forKey: "radius")
            self.radius = radius
            try super.init(from: coder.scope(Shape.archiveTypeName))
          }

          open override func decode(from coder: borrowing ObjectDecoder) throws {
            try super.decode(from: coder.scope(Shape.archiveTypeName))
            owner = coder.contains("owner")
              ? try coder.decodeReference(forKey: "owner") : nil
          }
        }
        """)
  }
}

@Suite struct `The reports of @Archivable` {
  private func expectReport(
    _ report: String, of source: String, is expanded: String,
    missing: [String] = ["ArchiveRecord"], location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    try expectExpansion(
      "@Archivable\n" + source, is: expanded, reporting: [report], missing: missing,
      location: location)
  }

  private func record(_ body: String, _ writes: [String] = [], _ reads: [String] = []) -> String {
    func function(_ head: String, _ lines: [String]) -> String {
      "  \(head) {\n" + lines.map { "    \($0)\n" }.joined() + "  }\n"
    }
    return body + "\n\nextension S: ArchiveRecord {\n"
      + function("func encode(to coder: inout ObjectEncoder)", writes)
      + function("init(from coder: borrowing ObjectDecoder) throws(ArchiveError)", reads) + "}"
  }

  @Test func `A mistake is reported at its place, with what to do`() throws {
    try expectReport(
      "1:1 @Archivable writes the conformance of a structure, an enumeration or a class; attach it to one of "
        + "these.",
      of: "protocol S {\n}", is: "protocol S {\n}")
    try expectReport(
      "3:16 An ignored property is not read, so it needs a value here; write one after an equals sign.",
      of: "struct S {\n  @Ignored var a: Int\n}",
      is: record("struct S {\n  var a: Int\n}"))
    try expectReport(
      "4:3 The key \"a\" is another property's; give this one a key of its own by @Key.",
      of: "struct S {\n  var a: Int\n  @Key(\"a\") var b: Int\n}",
      is: record(
        "struct S {\n  var a: Int\n  var b: Int\n}",
        ["coder.encode(a, forKey: \"a\")", "coder.encode(b, forKey: \"a\")"],
        [
          "let a: Int = try coder.decode(forKey: \"a\")",
          "let b: Int = try coder.decode(forKey: \"a\")", "self.a = a", "self.b = b",
        ]))
    try expectReport(
      "3:3 A lazy property gets its value at its first use, and storing it would be one; mark it with "
        + "@Ignored, or do not make it lazy.",
      of: "struct S {\n  lazy var a = 1\n}",
      is: record("struct S {\n  lazy var a = 1\n}"))
    try expectReport(
      "3:7 Declare each stored property by its own name.",
      of: "struct S {\n  var (a, b): (Int, Int)\n}",
      is: record("struct S {\n  var (a, b): (Int, Int)\n}"))
    try expectReport(
      "3:3 Only a class refers to other objects; a structure or an enumeration stores what it holds.",
      of: "struct S {\n  @ObjectReference var a: Int\n}",
      is: record(
        "struct S {\n  var a: Int\n}", ["coder.encode(a, forKey: \"a\")"],
        ["let a: Int = try coder.decode(forKey: \"a\")", "self.a = a"]))
    try expectReport(
      "3:3 warning: A constant with a value cannot be read from an archive, so it is not stored; let it be a variable, or "
        + "mark it with @Ignored.",
      of: "struct S {\n  let a = 1\n}",
      is: record("struct S {\n  let a = 1\n}"))
    try expectReport(
      "3:3 A key is stored with each value and has to be known here; write it as a string literal.",
      of: "struct S {\n  @Key(name) var a: Int\n}",
      is: record(
        "struct S {\n  var a: Int\n}", ["coder.encode(a, forKey: \"a\")"],
        ["let a: Int = try coder.decode(forKey: \"a\")", "self.a = a"]))
  }

  @Test func `Mistakes in enumerations and subclasses are reported`() throws {
    try expectReport(
      "2:6 An enumeration without cases has no value to be stored; remove @Archivable.",
      of: "enum S {\n}",
      is: "enum S {\n}\n\nextension S: ArchiveEnumeration {\n}",
      missing: ["ArchiveEnumeration"])
    try expectReport(
      "3:3 The cases of this enumeration are stored by their raw values; change the raw value in place of "
        + "stating a key.",
      of: "enum S: Int {\n  @Key(\"b\") case a\n}",
      is: "enum S: Int {\n  case a\n}\n\nextension S: ArchiveValue {\n}", missing: ["ArchiveValue"])
    try expectExpansion(
      "@ArchivableSubclass\nclass S {\n}", is: "class S {\n}",
      reporting: [
        "1:1 @ArchivableSubclass is for a class that names its superclass; attach @Archivable to all "
          + "others."
      ])
  }

  /// Compares only the reports of a source, and not the code that is written for a mistake.
  private func expectReports(
    _ source: String, _ reports: String...,
    location: Testing.SourceLocation = #_sourceLocation
  ) {
    #expect(expansion(of: source).reports == reports, sourceLocation: location)
  }

  @Test func `Mistakes in keys are reported`() {
    expectReports(
      "@Archivable struct S {\n  @Key(\"k\") var a, b: Int\n}",
      "2:3 peer macro can only be applied to a single variable",
      "2:3 A key is for one property; declare each property separately.",
      "2:3 The key \"k\" is another property's; give this one a key of its own by @Key.")
    expectReports(
      "@Archivable struct S {\n  @Key(\"k\", aliases: former) var a: Int\n}",
      "2:22 Write the aliases as an array literal of string literals.")
    expectReports(
      "@Archivable struct S {\n  @Key(\"k\", aliases: [\"l\", name]) var a: Int\n}",
      "2:28 Write the alias as a string literal.")
    expectReports(
      "@Archivable struct S {\n  @Key(\"k\", aliases: [\"l\", \"a\"]) var b: Int\n  var a: Int\n}",
      "2:3 The alias \"a\" is another property's key, whose value would be read for this one; remove the alias."
    )
    expectReports(
      "@Archivable enum S {\n  @Key(\"k\") case a, b\n}",
      "2:3 A key is for one case; declare each case separately.",
      "2:21 The key \"k\" is another case's; give this one a key of its own by @Key.")
    expectReports(
      "@Archivable enum S {\n  case a\n  @Key(\"b\", aliases: [\"a\"]) case b\n}",
      "3:34 The key \"a\" is another case's; give this one a key of its own by @Key.")
    expectReports(
      "@Archivable enum S {\n  @Ignored case a\n}",
      "2:3 @Ignored and @ObjectReference are for properties; a case is always stored, by its name.")
  }

  @Test func `Mistakes in classes and references are reported`() {
    expectReports(
      "@Archivable class S {\n}",
      "1:1 A class that may have subclasses is made archivable by @ArchivableClass; attach that, or let the "
        + "class be final.")
    expectReports(
      "@Archivable final class S {\n  @ObjectReference var a: S\n}",
      "2:3 A reference is read when the object exists already; let it be an optional or an array.")
    expectReports(
      "@Archivable final class S {\n  @ObjectReference let a: [S]\n}",
      "2:3 References are read when the object exists already; let them be a variable that begins empty."
    )
  }

  @Test func `A property that refers to an object and is not marked is reported once`() {
    let report =
      "The property next refers to an object, which is not a value; mark it with @ObjectReference."
    for type in ["Node?", "Node!", "[Node] = []"] {
      expectReports("@Archivable final class Node {\n  var next: \(type)\n}", "2:3 \(report)")
    }
    expectReports("@Archivable final class Node {\n  weak var next: Edge?\n}", "2:3 \(report)")
    expectReports("@Archivable final class Node {\n  var next: Edge?\n  var name: String\n}")
    expectReports("@Archivable final class Node {\n  @ObjectReference var next: Node?\n}")
  }
}
