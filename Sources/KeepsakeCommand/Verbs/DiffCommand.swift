import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Compares two archives.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two archives, object by object.",
    discussion: """
      Objects of saved states are matched by restoration path, and those of other archives by number. \
      --html writes a page that shows both sides of each object that differs. \
      Exit code 0 says that there is no difference, 1 that there is one.

      Examples:
        keepsake diff before.archive after.archive
        keepsake diff state.old state --json
      """)

  @Argument(
    help: ArgumentHelp(
      "The older file, or -, or the directory of a saved state.", valueName: "old"),
    completion: .file())
  var old: String

  @Argument(
    help: ArgumentHelp(
      "The newer file, or -, or the directory of a saved state.", valueName: "new"),
    completion: .file())
  var new: String

  @OptionGroup var opening: OpeningOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var page: PageOptions

  func validate() throws {
    guard !page.html || !output.json else {
      throw ValidationError("--html makes a page in place of JSON; leave out --json.")
    }
    try checking(as: "keepsake") { () throws(Failure) in
      try ByteStream.requireOpen(for: old)
      try ByteStream.requireOpen(for: new)
    }
  }

  func run() throws {
    guard old != "-" || new != "-" else {
      throw Failure("Only one of the two can come from standard input.", .usage)
    }
    if page.html { return try writePage() }
    let (before, after) = (try archive(old), try archive(new))
    let comparison = try ArchiveComparison(before, after)
    let hasChanges = try comparison.hasChanges
    let isSame = before.reserved == after.reserved && !hasChanges
    let output = Output()
    if self.output.json {
      var writer = JSONWriter(to: output, indented: true)
      writer.beginObject()
      writer.write([
        .init("isSame", .bool(isSame)), .init("old", before.json), .init("new", after.json),
      ])
      writer.write(name: "objects")
      writer.beginArray()
      if !isSame {
        try comparison.forEachChange { change in
          try change.write(to: &writer)
          return true
        }
      }
      writer.endArray()
      writer.endObject()
      try writer.breakLine()
      try writer.flush()
    } else {
      if before.reserved != after.reserved {
        let (old, new) = (before.reserved.json.text(), after.reserved.json.text())
        try output.write(line: "~ the archive's own values: \(old) -> \(new)".displayed)
      }
      if !isSame {
        try comparison.forEachChange { change in
          try output.write(lines: change.lines)
          return true
        }
      }
    }
    try output.flush()
    if !isSame { throw ExitCode(ExitStatus.difference.rawValue) }
  }

  private func archive(_ argument: String) throws -> Archive {
    let file = try InputFile(argument)
    return try file.archive(in: try unseal(file))
  }

  /// Opens a file by one of the keys; nil for an archive that is not sealed.
  func unseal(_ file: InputFile) throws -> SealedFile? {
    try file.summary.map { summary in
      try file.unseal(
        summary, with: opening, context: summary.statedContext, policy: SealPolicy())
    }
  }
}

/// The comparison of two archives: it pairs their objects and finds the changes.
struct ArchiveComparison {
  /// An object that was added, removed or changed.
  struct Change {
    enum Kind: String {
      case added, removed, changed
    }

    let name: String
    let kind: Kind
    /// The object in the older archive; nil when it was added.
    var old: ArchiveObjectID?
    /// The object in the newer archive; nil when it was removed.
    var new: ArchiveObjectID?
    var differences: [RecordDifference] = []

    var lines: [String] {
      switch kind {
      case .added: ["+ \(name)"]
      case .removed: ["- \(name)"]
      case .changed:
        ["~ \(name)"]
          + differences.map { "    " + $0.text(named: $0.name.shownForm) { $0.text(\.text) } }
      }
    }

    func write(to writer: inout JSONWriter) throws {
      writer.beginObject()
      writer.write([.init("object", .string(name)), .init("change", .string(kind.rawValue))])
      writer.write(name: "differences")
      writer.beginArray()
      for difference in differences {
        writer.beginObject()
        writer.write([.init("name", .string(difference.name))])
        for (side, value) in [("old", difference.old), ("new", difference.new)] {
          guard let value else { continue }
          writer.write(name: side)
          try value.walk(&writer)
        }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      try writer.flushFullPiece()
    }
  }

  private let old: NamedObjects
  private let new: NamedObjects

  init(_ old: Archive, _ new: Archive) throws {
    // Objects are paired by path only when both archives are saved states.
    let outlines = (SavedStateOutline(old), SavedStateOutline(new))
    let byPath = outlines.0 != nil && outlines.1 != nil
    self.old = NamedObjects(old, byPath ? outlines.0 : nil)
    self.new = NamedObjects(new, byPath ? outlines.1 : nil)
  }

  /// True when there is any change.
  var hasChanges: Bool {
    get throws {
      try !forEachChange { _ in false }
    }
  }

  /// Passes the changes to a closure in the order of the newer archive, then the objects that were removed.
  ///
  /// The closure returns true to continue; the result is false when the closure returned false.
  @discardableResult
  func forEachChange(_ body: (Change) throws -> Bool) throws -> Bool {
    for id in new.ids {
      let name = new.name(of: id)
      guard let oldID = old.id(of: name) else {
        guard try body(Change(name: name, kind: .added, new: id)) else { return false }
        continue
      }
      let record = new.renamed(try new.record(id))
      let differences = record.differences(from: old.renamed(try old.record(oldID)))
      if differences.isEmpty { continue }
      let change = Change(
        name: name, kind: .changed, old: oldID, new: id, differences: differences)
      guard try body(change) else { return false }
    }
    for id in old.ids where new.id(of: old.name(of: id)) == nil {
      guard try body(Change(name: old.name(of: id), kind: .removed, old: id)) else { return false }
    }
    return true
  }

  /// The record of an object that was added or removed, with names in place of numbers.
  func record(of change: Change) throws -> DynamicRecord? {
    if let id = change.new { return new.renamed(try new.record(id)) }
    return try change.old.map { old.renamed(try old.record($0)) }
  }

  /// The restoration identifier of an object that was added or removed; nil in an archive that is not a saved state.
  func identifier(of change: Change) -> String? {
    change.new.flatMap { new.identifiers[$0] } ?? change.old.flatMap { old.identifiers[$0] }
  }
}

/// The objects of an archive under their names: paths in a saved state, otherwise numbers.
private struct NamedObjects {
  private let archive: Archive
  private var names: [ArchiveObjectID: String] = [:]
  private var idsByName: [String: ArchiveObjectID] = [:]
  /// The restoration identifiers of the objects of a saved state.
  private(set) var identifiers: [ArchiveObjectID: String] = [:]

  init(_ archive: Archive, _ outline: SavedStateOutline?) {
    self.archive = archive
    guard let outline else { return }
    if let id = outline.applicationID { put("the application", id) }
    for entry in outline.entries {
      put("\(entry.path)", entry.objectID)
      identifiers[entry.objectID] = entry.path.identifier
    }
  }

  private mutating func put(_ name: String, _ id: ArchiveObjectID) {
    guard names[id] == nil, idsByName[name] == nil else { return }
    names[id] = name.displayed
    idsByName[name.displayed] = id
  }

  var ids: some Sequence<ArchiveObjectID> {
    (0..<archive.objectCount).lazy.map { ArchiveObjectID(UInt32(clamping: $0 + 1)) }
  }

  func name(of id: ArchiveObjectID) -> String { names[id] ?? "\(id)" }

  func id(of name: String) -> ArchiveObjectID? {
    if let id = idsByName[name] { return id }
    guard name.hasPrefix("#"), let number = UInt32(name.dropFirst()), number >= 1,
      number <= archive.objectCount, names[ArchiveObjectID(number)] == nil
    else { return nil }
    return ArchiveObjectID(number)
  }

  func record(_ id: ArchiveObjectID) throws(ArchiveError) -> DynamicRecord {
    try archive.object(id).dynamicRecord()
  }

  /// The record with names in place of object numbers, for objects that have a name.
  func renamed(_ record: DynamicRecord) -> DynamicRecord {
    guard !names.isEmpty else { return record }
    var record = record
    for index in record.fields.indices {
      record.fields[index].value = renamed(record.fields[index].value)
    }
    return record
  }

  private func renamed(_ value: DynamicValue) -> DynamicValue {
    switch value {
    case .reference(let id?): names[id].map { .string("-> \($0)") } ?? value
    case .array(let values): .array(values.map(renamed))
    case .dictionary(let entries):
      .dictionary(entries.map { DynamicEntry(key: $0.key, value: renamed($0.value)) })
    case .record(let record): .record(renamed(record))
    case .enumeration(let name, let record): .enumeration(name, renamed(record))
    default: value
    }
  }
}
