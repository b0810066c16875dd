import Testing

@Suite struct `The folders of a module` {
  @Test(arguments: FolderArrows.layeredModules)
  func `Arrows between folders go one way`(module: String) throws {
    let arrows = try FolderArrows.ofModule(module)
    #expect(!arrows.arrows.isEmpty)
    #expect(arrows.circles == [])
  }

  @Test func `A circle of three folders is found, without a folder that only leads to it`() throws {
    let found = try FolderArrows([
      ("A/One.swift", "public struct One { var two: Two }"),
      (
        "B/Two.swift",
        "@MainActor\nfinal class Two {}\nextension Two { var three: Three }"
      ),
      ("C/Three.swift", "indirect enum Three { case one([One]) }"),
      ("D/Four.swift", "struct Four { let one: One }"),
    ])
    #expect(found.arrows.count == 4)
    #expect(
      found.circles == [
        "A/One.swift names Two, of B, which leads back to A.",
        "B/Two.swift names Three, of C, which leads back to B.",
        "C/Three.swift names One, of A, which leads back to C.",
      ])
  }

  @Test
  func `Names in comments and strings and of private and nested types make no arrow`() throws {
    let found = try FolderArrows([
      ("A/One.swift", "struct One {\n  struct Inner {}\n}\nprivate struct Hidden {}"),
      ("B/Two.swift", "// One\nlet a = \"One\"\nlet b: Hidden\nlet c: Inner"),
    ])
    #expect(found.arrows == [])
  }

  /// An extension in another folder would let lower folders call what they may not name.
  @Test(
    arguments: [
      ("KeepsakeArchive", "Archive"), ("KeepsakeArchive", "ArchiveWriter"),
      ("KeepsakeArchive", "ObjectEncoder"), ("KeepsakeArchive", "ObjectDecoder"),
      ("KeepsakeArchive", "ByteView"),
      ("KeepsakeDocuments", "ArchiveDocument"), ("KeepsakeDocuments", "DynamicRecord"),
      ("KeepsakeDocuments", "DynamicValue"),
    ])
  func `A type of the archive is in at most four files of one folder`(
    module: String, type: String
  ) throws {
    let files = try FolderArrows.files(of: type, in: FolderArrows.sources(of: module))
    #expect(1...4 ~= files.count, "\(files)")
    #expect(Set(files.map(FolderArrows.folder)).count == 1, "\(files)")
  }

  /// Types with public members in a second folder, since these name types of a higher layer.
  private static let spread: [String: [String: String]] = [
    "KeepsakeArchive": [
      "ArchiveError": "its factory for apps names `ArchiveEnumeration`, of Values",
      "ReservedValues": "they are read from a source through a cache of Reading",
    ],
    "KeepsakeSeal": ["SealKey": "a key under a passphrase is in a slot, of Header"],
  ]

  // CONTRIBUTING.md: the public interface of a type is in one folder.
  @Test func `The public interface of each type is in one folder`() throws {
    for module in try FolderArrows.modules() {
      let found = try FolderArrows.spread(in: FolderArrows.sources(of: module))
      #expect(Set(found.keys) == Set((Self.spread[module] ?? [:]).keys), "\(module): \(found)")
    }
  }

  @Test func `Public members in another folder spread a type, and other members do not`() throws {
    let found = try FolderArrows.spread(in: [
      (
        "A/One.swift",
        "public struct One {}\n@MainActor\npublic final class Two {}\nstruct Three {}"
      ),
      (
        "B/One.swift",
        "extension One: P {\n  func a() {}\n}\nextension Two {\n  public var a: Int { 0 }\n}"
      ),
      ("A/Two.swift", "extension One {\n  public func b() {}\n}"),
      (
        "C/Three.swift",
        "extension Three {\n  public func c() {}\n}\nextension One {\n  package func d() {}\n}"
      ),
      (
        "D/Two.swift",
        "#if os(Linux)\n  extension Two {\n    @inlinable public func e() {}\n  }\n#endif"
      ),
    ])
    #expect(found == ["Two": ["A", "B", "D"]])
  }

  @Test func `Files with an extension of a type are counted, and comments and other types are not`()
    throws
  {
    let files = try FolderArrows.files(
      of: "One",
      in: [
        ("A/One.swift", "public struct One {}"), ("B/Two.swift", "@MainActor\nextension One: P {}"),
        ("C/Three.swift", "// extension One {}\nextension OneMore {}"),
        ("Bytes/Lending/One.swift", "extension One {}"),
      ])
    #expect(files == ["A/One.swift", "B/Two.swift"])
  }
}
