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

  @Option(help: "The format to print.")
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
    let output = Output(to: path)
    if let steps {
      try write(try ValueFinder(archive).place(at: steps), to: output)
    } else {
      try write(archive, to: output)
    }
    try output.finish()
  }

  /// Writes records as CSV; reads the records twice, the first time to find the columns.
  ///
  /// Characters are escaped only for a terminal.
  private func writeTable(
    to output: Output, _ forEachRecord: ((DynamicRecord) throws -> Void) throws -> Void
  ) throws {
    func write(_ cell: String) throws {
      try output.write(text: self.output == nil ? cell.displayedOnTerminal : cell)
    }
    var table = CommaSeparatedTable()
    try forEachRecord { record in table.addColumns(of: record) }
    try table.heading(write)
    try output.write(line: "")
    try forEachRecord { record in
      try table.row(record, write)
      try output.write(line: "")
    }
  }

  // MARK: - One value

  private func write(_ place: ValuePlace, to output: Output) throws {
    switch format {
    case .json:
      var writer = JSONWriter(to: output, indented: true)
      try place.walk(&writer)
      try writer.breakLine()
      try writer.handOver()
    case .lines:
      var writer = JSONWriter(to: output)
      try forEachElement(of: place) { element in
        try element.walk(&writer)
        try writer.breakLine()
      }
      try writer.handOver()
    case .csv:
      try writeTable(to: output) { body in try forEachRow(of: place, body) }
    }
  }

  private func forEachElement(
    of place: ValuePlace, _ body: (borrowing ValueDecoder) throws -> Void
  ) throws {
    guard try place.forEachElement(body) else {
      let type = try place.typeDescription
      throw Failure(
        "There is no array at \(path ?? "the root") but a value of type \(type); "
          + "--format json prints it.", .damaged)
    }
  }

  /// Passes the elements of an array to a closure; an element that is no record gets the column "value".
  private func forEachRow(
    of place: ValuePlace, _ body: (DynamicRecord) throws -> Void
  ) throws {
    try forEachElement(of: place) { element in
      let value = try element.dynamicValue()
      if case .record(let record) = value { return try body(record) }
      try body(DynamicRecord(fields: [.init(key: "value", value: value)]))
    }
  }

  // MARK: - Objects

  private func write(_ archive: Archive, to output: Output) throws {
    switch format {
    case .lines:
      var writer = JSONWriter(to: output)
      try forEachObject(of: archive) { object in
        try Self.write(object, to: &writer)
        try writer.breakLine()
      }
      try writer.handOver()
    case .json:
      var writer = JSONWriter(to: output)
      writer.beginObject()
      writer.write([.init("archive", archive.json)])
      writer.write(name: "objects")
      writer.beginArray()
      try writer.breakLine()
      try forEachObject(of: archive) { object in
        try Self.write(object, to: &writer)
        try writer.breakLine()
      }
      writer.endArray()
      writer.endObject()
      try writer.breakLine()
      try writer.handOver()
    case .csv:
      guard type != nil else {
        throw Failure(
          "For CSV give the path of an array, or --type with the type of objects.", .usage)
      }
      try writeTable(to: output) { body in
        try forEachObject(of: archive) { object in try body(object.dynamicRecord()) }
      }
    }
  }

  private func forEachObject(
    of archive: Archive, _ body: (borrowing ObjectDecoder) throws -> Void
  ) throws {
    for number in 0..<archive.objectCount {
      let object = try archive.object(ArchiveObjectID(UInt32(clamping: number + 1)))
      if let type, object.typeName != type { continue }
      try body(object)
    }
  }

  private static func write(
    _ object: borrowing ObjectDecoder, to writer: inout JSONWriter
  ) throws {
    writer.beginObject()
    writer.write(factsOf: object)
    writer.write(name: "values")
    writer.beginObject()
    try object.walkFields(&writer)
    writer.endObject()
    writer.endObject()
  }
}

/// Records as rows of comma-separated values (RFC 4180), with a column for each key in the order in which the records
/// have them.
///
/// A line is passed on cell by cell, since the names of keys in scopes can be much longer than the archive.
struct CommaSeparatedTable {
  private enum Column: Hashable {
    /// A key with its scopes, as a field without a value.
    case key(DynamicRecord.Field)
    /// A printed name that was cut, as a key, so that names are compared by their bytes.
    case cutName(ArchiveKey)

    var name: String {
      switch self {
      case .key(let key): PrintedName(of: key).text
      case .cutName(let name): name.name
      }
    }
  }

  private var columns: [Column] = []
  private var numbers: [Column: Int] = [:]

  mutating func addColumns(of record: DynamicRecord) {
    Self.forEachColumn(of: record) { column, _ in
      guard numbers[column] == nil else { return }
      numbers[column] = columns.count
      columns.append(column)
    }
  }

  /// Passes the names of the columns to a closure, each but the first with a comma before it.
  func heading(_ body: (String) throws -> Void) rethrows {
    for (number, column) in columns.enumerated() {
      try body((number == 0 ? "" : ",") + Self.cell(column.name))
    }
  }

  /// Passes the cells of a record to a closure, each but the first with a comma before it.
  func row(_ record: DynamicRecord, _ body: (String) throws -> Void) throws {
    var values = [DynamicValue?](repeating: nil, count: columns.count)
    Self.forEachColumn(of: record) { column, value in
      if let number = numbers[column] { values[number] = value }
    }
    for (number, value) in values.enumerated() {
      try body((number == 0 ? "" : ",") + (try value.map(Self.cell) ?? ""))
    }
  }

  private static func forEachColumn(
    of record: DynamicRecord, _ body: (Column, DynamicValue) -> Void
  ) {
    var cutNames = CutNames()
    for field in record.fields {
      let name = PrintedName(of: field)
      if let text = name.cutText {
        body(.cutName(ArchiveKey(text + cutNames.ending(of: name))), field.value)
      } else {
        var key = field
        key.value = .null
        body(.key(key), field.value)
      }
    }
  }

  private static func cell(_ value: DynamicValue) throws -> String {
    if case .null? = value.plainJSON { return "" }
    return cell(try value.plainText)
  }

  /// A text; an empty one has quotes, so that it is not taken for a missing value.
  private static func cell(_ text: String) -> String {
    let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    if isPlain, !text.isEmpty { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
