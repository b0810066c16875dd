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
      one object in each. With a path that value is printed; for lines and CSV it must be an array. --type prints \
      only the objects of one type.

      CSV has a column for each key of the records. Into a pipe the columns are those of \
      the first 1,000 records, so that rows come at once; a later record with another key is an error, and --columns \
      names the columns. In CSV a cell is empty where \
      there is no value or a nil, and "" where there is an empty text; what begins with = is printed as it is, \
      though a spreadsheet may read it as a formula.

      With --format typed or typed-lines the whole archive is printed with all that it holds: the types of its values, \
      versions, references and archive values. "import" with the same format makes the same archive of it. \
      Spec/Vectors/README.md describes it; of typed-lines the first line has the facts of the archive, and each other \
      line an object.

      A key is printed by its name, the key count in the scope Base as <Base>.count, and a reserved key as \
      <template>. "<type>" and "<schemaVersion>" in a value are those of the record. A key that begins with < or \
      with \\ is printed after a \\. "get" finds each key by the name that is printed here.

      Examples:
        keepsake export notes.archive
        keepsake export settings.sealed value.colors --key my.key
        keepsake export notes.archive --format typed-lines -o notes.jsonl
        keepsake export log entries --format csv --where level=error -o errors.csv
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, lines, csv, typed
    case typedLines = "typed-lines"
  }

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Argument(help: ArgumentHelp("The path of a value, as \"get\" takes it.", valueName: "path"))
  var path: String?

  @Option(help: "The format to print.")
  var format = Format.json

  @Option(help: ArgumentHelp("Only the objects of a type.", valueName: "name"))
  var type: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only records whose key has a value, as \"get\" prints it: level=error, or level!=debug. May be repeated; all have to "
        + "hold.", valueName: "key=value"))
  var conditions: [String] = []

  @Option(
    help: ArgumentHelp(
      "The columns of CSV, by the names of their keys, with commas between them.", valueName: "keys"
    )
  )
  var columns: String?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Where to write; without it, or with -, standard output. A file that exists is replaced, as a whole or not at "
        + "all.",
      valueName: "file"),
    completion: .file())
  var output: String?

  private var filters: [RecordFilter] {
    get throws { try conditions.map { try RecordFilter($0) } }
  }

  func run() throws {
    let filters = try self.filters
    guard columns == nil || format == .csv else {
      throw Failure("--columns names the columns of CSV; give --format csv with it.", .usage)
    }
    guard path == nil || type == nil else {
      throw Failure("Give a path or --type, not both.", .usage)
    }
    guard format != .typed && format != .typedLines || path == nil && type == nil && filters.isEmpty
    else {
      throw Failure(
        "Types and references are printed of the whole archive; leave the path, --type and --where out.",
        .usage)
    }
    let steps = try path.map { try ValuePath($0) }
    let file = try input.look()
    let archive = try file.archive(in: try input.unseal(file, with: opening), lazily: path != nil)
    let destination = output == "-" ? nil : output
    if let destination { try OutputPath.requireWritable(destination) }
    try destination == nil
      ? write(archive, steps, to: nil)
      : Interruption.whileWriting { try write(archive, steps, to: destination) }
  }

  private func write(_ archive: Archive, _ steps: ValuePath?, to path: String?) throws {
    let output = Output(to: path)
    if let steps {
      let finder = ValueFinder(archive)
      let place = try finder.place(at: steps)
      let part = try steps.places.map { try finder.elements(at: place, $0) }
      try write(place, part, to: output)
    } else {
      try write(archive, to: output)
    }
    try output.finish()
  }

  /// The number of records whose keys are the columns of a table that goes into a pipe.
  private static let sampleCount = 1_000

  /// Writes records as CSV.
  ///
  /// For a file the records are read twice, the first time to find the columns. Into a pipe the rows begin when a sample
  /// has been read. Characters are escaped only for a terminal.
  private func writeTable(
    to output: Output, _ forEachRecord: ((DynamicRecord) throws -> Void) throws -> Void
  ) throws {
    func write(_ cell: String) throws {
      try output.write(text: self.output == nil ? cell.displayedOnTerminal : cell)
    }
    func writeRow(_ record: DynamicRecord, of table: CommaSeparatedTable) throws {
      try table.row(record, write)
      try output.write(line: "")
    }
    var table = CommaSeparatedTable()
    if let columns {
      for name in columns.split(separator: ",") { table.addColumn(named: String(name)) }
      try table.heading(write)
      try output.write(line: "")
      return try forEachRecord { try writeRow($0, of: table) }
    }
    guard self.output == nil || self.output == "-" else {
      try forEachRecord { record in table.addColumns(of: record) }
      try table.heading(write)
      try output.write(line: "")
      return try forEachRecord { try writeRow($0, of: table) }
    }
    var sample: [DynamicRecord] = []
    var count = 0
    func writeSample() throws {
      try table.heading(write)
      try output.write(line: "")
      for record in sample { try writeRow(record, of: table) }
      sample = []
    }
    try forEachRecord { record in
      count += 1
      if count <= Self.sampleCount {
        table.addColumns(of: record)
        return sample.append(record)
      }
      if count == Self.sampleCount + 1 { try writeSample() }
      if let name = table.missingColumn(of: record) {
        throw Failure(
          "Record \(count) has the key \"\(name.shortened)\", which none of the first \(Self.sampleCount) has, so it "
            + "has no column. Name the columns by --columns, or write into a file by -o.", .damaged)
      }
      try writeRow(record, of: table)
    }
    if count <= Self.sampleCount { try writeSample() }
  }

  // MARK: - One value

  private func write(_ place: ValuePlace, _ part: ArrayPart?, to output: Output) throws {
    let isWhole = part == nil && conditions.isEmpty
    switch format {
    case .json:
      var writer = JSONWriter(to: output, indented: true)
      if isWhole {
        try place.walk(&writer)
      } else {
        writer.beginArray()
        try forEachElement(of: place, part) { try $0.walk(&writer) }
        writer.endArray()
      }
      try writer.breakLine()
      try writer.flush()
    case .lines:
      var writer = JSONWriter(to: output)
      if isWhole {
        // Each element is printed as it is read.
        let isArray = try place.forEachElement { element in
          try element.walk(&writer)
          try writer.breakLine()
        }
        guard isArray else { throw try noArray(place) }
      } else {
        try forEachElement(of: place, part) { element in
          try element.walk(&writer)
          try writer.breakLine()
        }
      }
      try writer.flush()
    case .typed, .typedLines: break
    case .csv:
      try writeTable(to: output) { body in
        try forEachElement(of: place, part) { try body(Self.row($0)) }
      }
    }
  }

  /// Passes the elements of an array, or of a part of it, that fit the filters to a closure.
  private func forEachElement(
    of place: ValuePlace, _ part: ArrayPart?, _ body: (DynamicValue) throws -> Void
  ) throws {
    let filters = try self.filters
    func pass(_ value: DynamicValue) throws {
      if try filters.allSatisfy({ try $0.fits(Self.row(value)) }) { try body(value) }
    }
    if let part { return try part.forEach { try pass($0.value()) } }
    guard try place.forEachElement({ try pass($0.dynamicValue()) }) else {
      throw try noArray(place)
    }
  }

  private func noArray(_ place: ValuePlace) throws -> Failure {
    let type = try place.typeDescription
    return Failure(
      "There is no array at \(path ?? "the root") but a value of type \(type); "
        + "--format json prints it.", .damaged)
  }

  /// An element of an array as a row; an element that is not a record gets the column "value".
  private static func row(_ value: DynamicValue) -> DynamicRecord {
    if case .record(let record) = value { return record }
    return DynamicRecord(fields: [.init(key: "value", value: value)])
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
      try writer.flush()
    case .json, .typed:
      var writer = JSONWriter(to: output)
      writer.beginObject()
      let facts = [JSONValue.Member("archive", archive.json)]
      writer.write(format == .typed ? try archive.typedFacts : facts)
      writer.write(name: "objects")
      writer.beginArray()
      try writer.breakLine()
      try forEachObject(of: archive) { object in
        if format == .typed {
          try writer.write(typed: object.dynamicRecord())
        } else {
          try Self.write(object, to: &writer)
        }
        try writer.breakLine()
      }
      writer.endArray()
      writer.endObject()
      try writer.breakLine()
      try writer.flush()
    case .typedLines:
      var writer = JSONWriter(to: output)
      writer.write(.object(try archive.typedFacts))
      try writer.breakLine()
      try forEachObject(of: archive) { object in
        try writer.write(typed: object.dynamicRecord())
        try writer.breakLine()
      }
      try writer.flush()
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
    let filters = try self.filters
    for number in 0..<archive.objectCount {
      let object = try archive.object(ArchiveObjectID(UInt32(clamping: number + 1)))
      if let type, object.typeName != type { continue }
      if !filters.isEmpty {
        let record = try object.dynamicRecord()
        guard try filters.allSatisfy({ try $0.fits(record) }) else { continue }
      }
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
  /// The numbers of the columns that the user named, by the bytes of their names.
  private var names: [ArchiveKey: Int] = [:]

  mutating func addColumns(of record: DynamicRecord) {
    Self.forEachColumn(of: record) { column, _ in
      guard numbers[column] == nil else { return }
      numbers[column] = columns.count
      columns.append(column)
    }
  }

  /// Adds a column by the name of its key, as it is printed.
  mutating func addColumn(named name: String) {
    let column = Column.cutName(ArchiveKey(name))
    guard names[ArchiveKey(name)] == nil else { return }
    names[ArchiveKey(name)] = columns.count
    columns.append(column)
  }

  /// The printed name of the first key of a record that has no column; nil if all have one.
  func missingColumn(of record: DynamicRecord) -> String? {
    var missing: String?
    Self.forEachColumn(of: record) { column, _ in
      if missing == nil, number(of: column) == nil { missing = column.name }
    }
    return missing
  }

  private func number(of column: Column) -> Int? {
    if let number = numbers[column] { return number }
    return names.isEmpty ? nil : names[ArchiveKey(column.name)]
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
      if let number = number(of: column) { values[number] = value }
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
        body(.cutName(ArchiveKey(text + cutNames.ending(of: text))), field.value)
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
