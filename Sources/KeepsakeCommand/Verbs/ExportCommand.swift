import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Prints the values of an archive for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Prints an archive, or a value of it, as JSON, JSON lines or CSV.",
    discussion: """
      Without a path all objects are printed, one after the other: as JSON in one document, as lines with \
      one object in each. With a path it is that value; lines and CSV take an array of it. CSV has a \
      column for each key of the records; --type takes the objects of a type for it. In CSV a cell is empty where \
      there is no value or a nil, and "" where there is an empty text; what begins with = is printed as it is, \
      though a spreadsheet may take it for a formula.

      A key is printed by its name, the key count in the scope Base as <Base>.count, and a reserved key as \
      <template>. "<type>" and "<schemaVersion>" in a value are those of the record. A key that begins with < or \
      with \\ is printed after a \\. "get" finds each key by the name that is printed here.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, lines, csv
  }

  @OptionGroup var input: InputOptions

  @Argument(help: ArgumentHelp("The path of a value, as \"get\" takes it.", valueName: "path"))
  var path: String?

  @Option(help: "What to print.")
  var format = Format.json

  @Option(help: ArgumentHelp("Only the objects of a type.", valueName: "name"))
  var type: String?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Where to write; without it, or with -, standard output. A file that exists is replaced, as a whole or not at "
        + "all.",
      valueName: "file"))
  var output: String?

  func run() throws {
    guard path == nil || type == nil else {
      throw Failure("Give a path or --type, not both.", .usage)
    }
    let steps = try path.map { try ValuePath($0) }
    let file = try input.look()
    let archive = try file.archive(in: try input.unseal(file), lazily: path != nil)
    let destination = output == "-" ? nil : output
    try destination == nil
      ? write(archive, steps, to: nil)
      : Interruption.whileWriting { try write(archive, steps, to: destination) }
  }

  private func write(_ archive: Archive, _ steps: ValuePath?, to path: String?) throws {
    var output = Output(to: path)
    if let steps {
      try write(try ValueFinder(archive).value(at: steps), to: &output)
    } else {
      try write(archive, to: &output)
    }
    try output.finish()
  }

  /// A line of CSV, which is escaped for a terminal only.
  private func shown(_ line: String) -> String {
    output == nil ? line.displayedOnTerminal : line
  }

  // MARK: - One value

  private func write(_ value: ArchivedValue, to output: inout Output) throws {
    if format == .json { return try output.write(line: JSONValue(value).text(indented: true)) }
    let elements: [ArchivedValue]
    switch value {
    case .array(let values), .set(let values): elements = values
    default:
      throw Failure(
        "There is no array at \(path ?? "the root") but a value of type \(value.typeDescription); "
          + "--format json prints it.", .damaged)
    }
    if format == .lines {
      for element in elements { try output.write(line: JSONValue(element).text()) }
      return
    }
    let records = elements.map { element -> ArchivedRecord in
      if case .record(let record) = element { return record }
      return ArchivedRecord(fields: [.init(key: "value", value: element)])
    }
    var table = CommaSeparatedTable()
    for record in records { table.addColumns(of: record) }
    try output.write(line: shown(table.heading))
    for record in records { try output.write(line: shown(table.row(record))) }
  }

  // MARK: - Objects

  private func write(_ archive: Archive, to output: inout Output) throws {
    switch format {
    case .lines:
      try forEachObject(of: archive) { id, record in
        try output.write(line: Self.json(id, record).text())
      }
    case .json:
      let heading = JSONValue.object(
        [.init("archive", archive.json)])
      // One object after the other, so that no more is in memory.
      try output.write(line: heading.text().dropLast() + ",\"objects\":[")
      var separator = ""
      try forEachObject(of: archive) { id, record in
        try output.write(line: separator + Self.json(id, record).text())
        separator = ","
      }
      try output.write(line: "]}")
    case .csv:
      guard type != nil else {
        throw Failure(
          "For CSV give the path of an array, or --type with the type of objects.", .usage)
      }
      var table = CommaSeparatedTable()
      try forEachObject(of: archive) { _, record in table.addColumns(of: record) }
      try output.write(line: shown(table.heading))
      try forEachObject(of: archive) { _, record in
        try output.write(line: shown(table.row(record)))
      }
    }
  }

  private func forEachObject(
    of archive: Archive, _ body: (ArchiveObjectID, ArchivedRecord) throws -> Void
  ) throws {
    for number in 0..<archive.objectCount {
      let object = try archive.object(ArchiveObjectID(UInt32(clamping: number + 1)))
      if let type, object.typeName != type { continue }
      try body(object.objectID, try object.dynamicRecord())
    }
  }

  private static func json(_ id: ArchiveObjectID, _ record: ArchivedRecord) -> JSONValue {
    [
      "id": .number(id.rawValue), "type": .string(record.typeName),
      "schemaVersion": record.schemaVersion == 0 ? nil : .number(record.schemaVersion),
      "values": JSONValue(valuesOf: record),
    ]
  }
}

/// Records as rows of comma-separated values (RFC 4180), with a column for each key in the order in which they
/// first come.
struct CommaSeparatedTable {
  /// Names, which are compared by their bytes as keys are.
  private var columns: [ArchiveKey] = []
  private var known: Set<ArchiveKey> = []

  mutating func addColumns(of record: ArchivedRecord) {
    for (name, _) in record.printedFields {
      let column = ArchiveKey(name)
      if known.insert(column).inserted { columns.append(column) }
    }
  }

  var heading: String { columns.map { Self.cell($0.name) }.joined(separator: ",") }

  func row(_ record: ArchivedRecord) -> String {
    var values: [ArchiveKey: ArchivedValue] = [:]
    for (name, field) in record.printedFields { values[ArchiveKey(name)] = field.value }
    return columns.map { values[$0].map(Self.cell) ?? "" }.joined(separator: ",")
  }

  private static func cell(_ value: ArchivedValue) -> String {
    switch JSONValue(value) {
    case .null: ""
    case .string(let text): cell(text)
    case let other: cell(other.text())
    }
  }

  /// A text; an empty one has quotes, so that it is not taken for nothing.
  private static func cell(_ text: String) -> String {
    let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    if isPlain, !text.isEmpty { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
