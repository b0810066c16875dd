import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Text that is shown to a person` {
  /// Scalars of each class that is escaped.
  private static let controls: [UInt32] = [
    0x00, 0x07, 0x09, 0x0A, 0x0D, 0x1B, 0x1F,  // controls of ASCII
    0x7F, 0x80, 0x85, 0x9B, 0x9F,  // delete, and the controls of Latin-1
    0x2028, 0x2029,  // separators of lines and paragraphs
    0x061C, 0x200E, 0x200F,  // directional marks
    0x202A, 0x202B, 0x202C, 0x202D, 0x202E,  // embeddings and overrides
    0x2066, 0x2067, 0x2068, 0x2069,  // isolates
    0x00AD, 0x200B, 0xFEFF, 0xE0001,  // invisible characters
  ]

  private static let harmless: [UInt32] = [
    0x20, 0x7E, 0xA0, 0xE9, 0x0301, 0x061B, 0x061D, 0x200C, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065,
    0x5B57, 0xFE0F, 0x1F468,
  ]

  @Test(arguments: controls)
  func `Displayed text has an escape for each control`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(scalar.steersDisplay)
    let escape = "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    let text = "a\(Character(scalar))b".displayed
    #expect(text == "a\(escape)b")
    #expect(text.displayed == text)
  }

  @Test(arguments: harmless)
  func `Displayed text keeps everything else as it is`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(!scalar.steersDisplay)
    let text = "a\(Character(scalar))b"
    #expect(Array(text.displayed.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func `Displayed text keeps characters of several scalars whole`() {
    let text = "👩‍👩‍👧‍👦 🇩🇪 1️⃣ नि é"
    #expect(text.displayed == text)
    #expect("\r\n".displayed == "\\u{D}\\u{A}")
    #expect("".displayed == "")
  }
}

// Inspectors, errors and comparisons of an archive in which every name is hostile.
@Suite struct `A hostile name in an archive` {
  private static let names = ["\u{1B}[2J", "\u{9B}2J", "\u{202E}", "\u{2028}", "a\nb", "\u{7F}"]

  private func expectEscaped(_ text: String, _ name: String) {
    #expect(!text.unicodeScalars.contains { $0.steersDisplay }, "\(text.displayed)")
    // A text is shown between quotation marks, with the escapes of Swift.
    #expect(text.contains(name.displayed) || text.contains("\\n"), "\(text.displayed)")
  }

  @Test(arguments: names)
  func `A hostile name is escaped in descriptions of values and records`(name: String)
    throws
  {
    let fields = [DynamicRecord.Field(scope: [name], key: ArchiveKey(name), value: .string(name))]
    let record = DynamicRecord(typeName: name, fields: fields)
    let values: [DynamicValue] = [
      .string(name), .url(ArchiveURL(name)), .record(record),
      .enumeration(ArchiveKey(name), record),
      .array([.string(name)]), .set([.string(name)]),
      .dictionary([.init(key: .string(name), value: .string(name))]),
    ]
    for value in values { expectEscaped("\(value)", name) }
    expectEscaped(ArchiveKey(name).description, name)
    expectEscaped(fields[0].name, name)
    for difference in record.differences(from: DynamicRecord()) {
      expectEscaped("\(difference)", name)
      if difference.subject != .typeName { expectEscaped(difference.name, name) }
    }
  }

  @Test(arguments: names)
  func `A hostile name is escaped in errors`(name: String) throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: name) { coder in
      coder.withScope(name) { $0.encode(name, forKey: ArchiveKey(name)) }
    }
    let archive = try Archive(writer.finish(root: .init(1)))
    let error = archiveError {
      _ = try archive.object(.init(1)).scope(name).decode(Int.self, forKey: ArchiveKey(name))
    }
    expectEscaped("\(try #require(error))", name)
    let unregistered = archiveError {
      _ = try archive.decodeRoot(Node.self, registry: TypeRegistry())
    }
    expectEscaped("\(try #require(unregistered))", name)
  }
}
