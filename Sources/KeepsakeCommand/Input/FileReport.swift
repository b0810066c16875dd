import CommandSupport
import Foundation
import Keepsake

/// The report of a file, as text or as JSON, written object by object.
struct FileReport {
  private let isJSON: Bool
  private let output = Output()
  private var writer: JSONWriter

  private init(asJSON: Bool) {
    isJSON = asJSON
    writer = JSONWriter(to: output)
  }

  /// Prints the content of a file; the facts that need no key are printed also when `unseal` throws.
  static func print(
    _ file: InputFile, asJSON: Bool, headerOnly: Bool = false, showsSizes: Bool = false,
    unseal: (SealedFileSummary) throws -> SealedFile
  ) throws {
    var report = FileReport(asJSON: asJSON)
    try report.begin(file)
    if headerOnly {
      try report.writeSlots(of: file)
      return try report.end()
    }
    let opened: SealedFile?
    let archive: Archive?
    do {
      opened = try file.summary.map(unseal)
      archive = try file.archiveIfAny(in: opened)
    } catch {
      try report.end()
      throw error
    }
    if let opened { try report.write(opened) }
    switch archive {
    case nil: try report.writeNoArchive()
    case let archive? where showsSizes: try report.write(try archive.sizes())
    case let archive?: try report.write(archive)
    }
    try report.end()
  }

  private mutating func begin(_ file: InputFile) throws {
    guard isJSON else {
      switch file.kind {
      case .sealed(let summary): try output.write(line: summary.line(named: file.name))
      case .archive(let archive):
        try output.write(
          line: "\(file.name): an archive of \(archive.byteCount) bytes, not sealed")
      }
      return
    }
    writer.beginObject()
    try member("file", .string(file.argument))
    if let summary = file.summary { try member("sealed", summary.json) }
  }

  private mutating func writeSlots(of file: InputFile) throws {
    guard !isJSON else { return }
    for line in file.summary?.slotLines ?? [] { try output.write(line: line) }
  }

  private mutating func write(_ opened: SealedFile) throws {
    if isJSON { try member("opened", opened.json) } else { try output.write(line: opened.line) }
  }

  private mutating func writeNoArchive() throws {
    if !isJSON { try output.write(line: "  the content is not an archive") }
  }

  private mutating func write(_ sizes: ArchiveSizes) throws {
    guard isJSON else { return try output.write(lines: SizeTable(sizes).lines) }
    try member("sizes", SizeTable(sizes).json)
  }

  private mutating func write(_ archive: Archive) throws {
    guard isJSON else {
      var tree = ArchiveTree(archive)
      return try tree.forEachLine { line in try output.write(line: line) }
    }
    try member("archive", archive.json)
    writer.write(name: "objects")
    writer.beginArray()
    try writer.breakLine()
    for number in 0..<archive.objectCount {
      let object = try archive.object(ArchiveObjectID(UInt32(clamping: number + 1)))
      try write(object)
      try writer.breakLine()
    }
    writer.endArray()
    try writer.breakLine()
  }

  private mutating func end() throws {
    if isJSON {
      writer.endObject()
      try writer.breakLine()
    }
    try writer.flush()
    try output.flush()
  }

  private mutating func member(_ name: String, _ value: JSONValue) throws {
    writer.write(name: name)
    writer.write(value)
    try writer.breakLine()
  }

  private mutating func write(_ object: borrowing ObjectDecoder) throws {
    writer.beginObject()
    writer.write(factsOf: object)
    writer.write([.init("byteCount", .number(object.byteCount))])
    writer.write(name: "fields")
    writer.beginArray()
    var cutNames = CutNames()
    try object.forEachField { key, value in
      writer.beginObject()
      writer.write(name: "name")
      writer.write(nameOf: key, &cutNames)
      writer.write([.init("type", .string(value.typeDescription))])
      writer.write(name: "value")
      try value.walk(&writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}

/// The sizes of an archive: its types, the largest first, each with its keys.
struct SizeTable {
  private let sizes: ArchiveSizes

  init(_ sizes: ArchiveSizes) { self.sizes = sizes }

  /// The number of bytes of objects, and the number of bytes of names and directories.
  private var parts: (values: Int, names: Int) {
    let values = sizes.types.reduce(0) { $0 + $1.byteCount }
    return (values, sizes.byteCount - values)
  }

  var lines: [String] {
    var lines = [
      "Sizes: \(sizes.byteCount) bytes, of which \(parts.values) in objects and \(parts.names) in names "
        + "and directories"
    ]
    for type in sizes.types {
      let objects = type.objectCount == 1 ? "1 object" : "\(type.objectCount) objects"
      lines.append("  \(type.typeName.displayed): \(type.byteCount) bytes in \(objects)")
      for key in type.keys.sorted(by: { $0.byteCount > $1.byteCount }) {
        let bytes = key.byteCount == 1 ? "1 byte" : "\(key.byteCount) bytes"
        lines.append("    \(key.name.shownForm): \(bytes), \(key.valueCount)x")
      }
    }
    return lines
  }

  var json: JSONValue {
    [
      "byteCount": .number(sizes.byteCount), "objectByteCount": .number(parts.values),
      "types": .array(
        sizes.types.map { type in
          [
            "type": .string(type.typeName), "byteCount": .number(type.byteCount),
            "objectCount": .number(type.objectCount),
            "keys": .array(
              type.keys.map { key in
                [
                  "name": .string(key.name), "byteCount": .number(key.byteCount),
                  "valueCount": .number(key.valueCount),
                ]
              }),
          ]
        }),
    ]
  }
}
