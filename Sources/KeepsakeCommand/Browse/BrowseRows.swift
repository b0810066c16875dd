import CommandSupport
import Foundation
import Keepsake

/// The rows of an archive in a terminal: objects, their values, and the parts of all rows that are open.
///
/// Values are read when their row is shown, and no more than the row needs.
struct BrowseRows {
  struct Row: Identifiable {
    enum Content {
      /// An object; in a saved state with the place of its entry in the outline.
      case object(ArchiveObjectID, entry: Int?)
      case value(ValuePlace)
      /// Objects by their numbers.
      case objects(Range<Int>)
      /// Elements of an array or a set.
      case elements(ValuePlace, Range<Int>)
      /// A sentence about parts that have no rows.
      case note
    }

    let id: Int
    let content: Content
    let name: String
    let depth: Int
    let canOpen: Bool
    var isOpen = false
  }

  /// The number of objects or elements in a group; a longer list is shown as groups.
  private static let groupSize = 1_000
  /// The most keys of a record or dictionary that get a row, since each key is looked up separately.
  private static let keyLimit = 500
  /// The most bytes of a text that are read.
  private static let textByteLimit = 4_096

  let archive: Archive
  private let outline: SavedStateOutline?
  private let children: [Int: [Int]]
  private(set) var rows: [Row] = []
  private var nextID = 0

  init(_ archive: Archive) throws {
    self.archive = archive
    outline = SavedStateOutline(archive)
    var children: [Int: [Int]] = [:]
    for (place, entry) in (outline?.entries ?? []).enumerated() {
      children[entry.parentIndex ?? -1, default: []].append(place)
    }
    self.children = children
    if let application = outline?.applicationID {
      rows.append(row(.object(application, entry: nil), "application", depth: 0))
    }
    for place in children[-1] ?? [] { append(entry: place) }
    rows.append(
      row(
        .object(archive.rootID, entry: nil), outline == nil ? "root" : "index", depth: 0))
    rows.append(row(.objects(0..<archive.objectCount), "all objects", depth: 0))
  }

  private mutating func append(entry place: Int) {
    guard let entry = outline?.entries[place] else { return }
    rows.append(row(.object(entry.objectID, entry: place), entry.path.identifier, depth: 0))
  }

  private mutating func row(
    _ content: Row.Content, _ name: String, depth: Int, canOpen: Bool = true
  ) -> Row {
    nextID += 1
    return Row(id: nextID, content: content, name: name, depth: depth, canOpen: canOpen)
  }

  // MARK: - Opening and closing

  /// Opens a row: its parts get rows below it.
  mutating func open(_ index: Int) throws {
    guard rows.indices.contains(index), rows[index].canOpen, !rows[index].isOpen else { return }
    let parts = try parts(of: rows[index])
    rows[index].isOpen = true
    rows.insert(contentsOf: parts, at: index + 1)
  }

  /// Closes a row: the rows of its parts are gone.
  mutating func close(_ index: Int) {
    guard rows.indices.contains(index), rows[index].isOpen else { return }
    rows[index].isOpen = false
    let end = rows[(index + 1)...].firstIndex { $0.depth <= rows[index].depth } ?? rows.endIndex
    rows.removeSubrange((index + 1)..<end)
  }

  /// The row that contains another one; nil for a row at the top.
  func parent(of index: Int) -> Int? {
    rows[..<index].lastIndex { $0.depth < rows[index].depth }
  }

  /// Opens the rows above an object, and returns the index of its row; nil where there is no such object.
  mutating func reveal(_ id: ArchiveObjectID) throws -> Int? {
    let number = Int(id.rawValue) - 1
    guard 0..<archive.objectCount ~= number else { return nil }
    var found = rows.lastIndex { $0.depth == 0 }
    while let index = found {
      if case .object = rows[index].content { return index }
      try open(index)
      found = rows[(index + 1)...].firstIndex { row in
        guard row.depth == rows[index].depth + 1 else { return false }
        switch row.content {
        case .objects(let range): return range.contains(number)
        case .object(let other, _): return other == id
        default: return false
        }
      }
    }
    return nil
  }

  /// The object that the row of a reference leads to; nil for any other row.
  func target(of row: Row) throws -> ArchiveObjectID? {
    guard case .value(let place) = row.content, !place.isNil else { return nil }
    switch place.tag.kindIsReference ? try place.value() : .null {
    case .reference(let id): return id
    case .conditionalReference(let reference):
      let objects = try archive.conditionalObjects
      guard reference.number >= 1, reference.number <= objects.count else { return nil }
      return objects[Int(reference.number) - 1]
    default: return nil
    }
  }

  private mutating func parts(of row: Row) throws -> [Row] {
    let depth = row.depth + 1
    switch row.content {
    case .note: return []
    case .objects(let range):
      return groups(range).map { group in
        group.count == 1
          ? self.row(
            .object(ArchiveObjectID(UInt32(clamping: group.lowerBound + 1)), entry: nil), "",
            depth: depth)
          : self.row(
            .objects(group), "#\(group.lowerBound + 1) to #\(group.upperBound)", depth: depth)
      }
    case .elements(let place, let range):
      return try elements(of: place, in: range, depth: depth)
    case .object(let id, let entry):
      var parts = try fields(of: archive.place(of: id), depth: depth)
      for place in entry.flatMap({ children[$0] }) ?? [] {
        guard let child = outline?.entries[place] else { continue }
        parts.append(
          self.row(.object(child.objectID, entry: place), child.path.identifier, depth: depth))
      }
      return parts
    case .value(let place):
      if let target = try target(of: row) {
        return [self.row(.object(target, entry: nil), "", depth: depth)]
      }
      if let count = try place.count() {
        return try elements(of: place, in: 0..<count, depth: depth)
      }
      return place.tag == .dictionary
        ? try entries(of: place, depth: depth) : try fields(of: place, depth: depth)
    }
  }

  /// The parts of a range: single places, or groups where there are too many.
  private func groups(_ range: Range<Int>) -> [Range<Int>] {
    var size = 1
    while range.count > size * Self.groupSize { size *= Self.groupSize }
    return stride(from: range.lowerBound, to: range.upperBound, by: size).map {
      $0..<min(range.upperBound, $0 + size)
    }
  }

  private mutating func elements(
    of place: ValuePlace, in range: Range<Int>, depth: Int
  ) throws -> [Row] {
    try groups(range).compactMap { group in
      if group.count > 1 {
        return row(
          .elements(place, group), "[\(group.lowerBound)] to [\(group.upperBound - 1)]",
          depth: depth)
      }
      guard let element = try place.element(group.lowerBound) else { return nil }
      return valueRow(element, "[\(group.lowerBound)]", depth: depth)
    }
  }

  private mutating func fields(of place: ValuePlace, depth: Int) throws -> [Row] {
    var names: [String] = []
    _ = try place.value { scopes, key in
      names.append(KeySpelling.shown.name(scopes, key))
      return false
    }
    return try parts(names, depth: depth) { index in
      var count = -1
      return try place.value { _, _ in
        count += 1
        return count == index
      }
    }
  }

  private mutating func entries(of place: ValuePlace, depth: Int) throws -> [Row] {
    var names: [String] = []
    _ = try place.entry { key in
      names.append("[\(key)]")
      return false
    }
    return try parts(names, depth: depth) { index in
      var count = -1
      return try place.entry { _ in
        count += 1
        return count == index
      }
    }
  }

  private mutating func parts(
    _ names: [String], depth: Int, _ place: (Int) throws -> ValuePlace?
  ) throws -> [Row] {
    var parts: [Row] = []
    for (index, name) in names.prefix(Self.keyLimit).enumerated() {
      guard let place = try place(index) else { continue }
      parts.append(valueRow(place, name, depth: depth))
    }
    if names.count > Self.keyLimit {
      let rest = "\(names.count - Self.keyLimit) more keys; \"keepsake export\" prints them"
      parts.append(row(.note, rest, depth: depth, canOpen: false))
    }
    return parts
  }

  private mutating func valueRow(_ place: ValuePlace, _ name: String, depth: Int) -> Row {
    let hasParts =
      !place.isNil
      && (place.tag.kindIsReference
        || [.record, .enumeration, .array, .set, .dictionary].contains(place.tag))
    return row(.value(place), name, depth: depth, canOpen: hasParts)
  }

  // MARK: - Texts

  /// The text of a row: its name, its type and its value.
  func text(of row: Row) throws -> String {
    switch row.content {
    case .note, .objects, .elements: return row.name.displayed
    case .object(let id, _):
      let object = try archive.object(id)
      let name = row.name.isEmpty ? "" : "  \(row.name.shortened)"
      return "\(id) \(object.typeName.shortened)\(name)  (\(object.byteCount) bytes)".displayed
    case .value(let place):
      return "\(row.name.shortened): \(Self.type(of: place)) = ".displayed + (try value(of: row))
    }
  }

  /// The value of a row in one line; for a container, its number of elements or bytes.
  func value(of row: Row) throws -> String {
    guard case .value(let place) = row.content else { return "" }
    if let target = try target(of: row) {
      return "-> \(target) \(try archive.object(target).typeName.shortened)".displayed
    }
    if place.isNil { return "nil" }
    if let count = try place.count() { return count == 1 ? "1 element" : "\(count) elements" }
    switch place.tag {
    case .record, .dictionary: return "\(place.range.count) bytes"
    case .string, .url, .bytes:
      guard place.range.count > Self.textByteLimit else { break }
      let beginning = place.range.lowerBound..<place.range.lowerBound + Self.textByteLimit
      let bytes = try archive.bytes(in: beginning)
      let text =
        place.tag == .bytes
        ? "\(DynamicValue.bytes(bytes))"
        : String(decoding: bytes, as: UTF8.self).debugDescription.displayed
      return "\(place.range.count) bytes, which begin with \(text)"
    default: break
    }
    return "\(try place.value())"
  }

  /// The bytes of a row's object or value; nil for a note or a group.
  func range(of row: Row) throws -> Range<Int>? {
    switch row.content {
    case .note, .objects, .elements: nil
    case .object(let id, _): try archive.place(of: id).range
    case .value(let place): place.range
    }
  }

  /// The bytes of a row as fields with their names in Spec/archive.md, those that start before an offset.
  func fields(of row: Row, before end: Int) throws -> [StoredField] {
    let place: ValuePlace
    switch row.content {
    case .note, .objects, .elements: return []
    case .object(let id, _): place = try archive.place(of: id)
    case .value(let value): place = value
    }
    let fields = try place.storedFields(named: row.name.shortened, before: end) { scopes, key in
      KeySpelling.shown.name(scopes, key).shortened
    }
    return fields.map { StoredField(range: $0.range, name: $0.name.displayed) }
  }

  /// The kind and the width of a value in words.
  static func type(of place: ValuePlace) -> String {
    place.isNil ? ArchiveTag.null.description : place.tag.description
  }

  /// The facts of a row's object in a saved state: its path and its kind; none for other rows.
  func stateFacts(of row: Row) -> [String] {
    guard case .object(_, let place?) = row.content, let entry = outline?.entries[place] else {
      return []
    }
    let kind = entry.isPresented ? "presented by its parent" : "\(entry.kind)"
    return ["Restoration path: \("\(entry.path)".displayed)", "Kind: \(kind)"]
  }

  // MARK: - Search

  /// The next object that has a text in its type, a key or a value, by number and wrapping around at the last one; nil
  /// when no object has it.
  func next(after id: ArchiveObjectID?, with text: String) throws -> ArchiveObjectID? {
    let wanted = text.lowercased()
    let count = archive.objectCount
    let start = id.map { Int($0.rawValue) } ?? 0
    for step in 0..<count {
      let next = ArchiveObjectID(UInt32(clamping: (start + step) % count + 1))
      if try has(wanted, next) { return next }
    }
    return nil
  }

  private func has(_ wanted: String, _ id: ArchiveObjectID) throws -> Bool {
    let object = try archive.object(id)
    if object.typeName.lowercased().contains(wanted) { return true }
    var finder = TextFinder(wanted: wanted)
    try object.walkFields(&finder)
    return finder.hasFound
  }
}

/// Looks for a text in keys and plain values.
private struct TextFinder: DynamicValueVisitor {
  let wanted: String
  private(set) var hasFound = false

  init(wanted: String) { self.wanted = wanted }

  private mutating func look(at text: String) {
    if !hasFound { hasFound = text.lowercased().contains(wanted) }
  }

  mutating func visit(_ value: DynamicValue) {
    switch value {
    case .string(let text): look(at: text)
    case .url(let url): look(at: url.string)
    case .bytes: break
    default: look(at: value.description)
    }
  }

  mutating func begin(_ container: DynamicContainer) {}
  mutating func end(_ container: DynamicContainer) {}
  mutating func visit(key: DynamicRecord.Field) { look(at: key.key.name) }
  mutating func visit(name: String) { look(at: name) }
}

extension ArchiveTag {
  /// True when values of the kind are references, of any width.
  fileprivate var kindIsReference: Bool {
    // Arrays store references of 1, 2 or 4 bytes (Spec/archive.md, 5.5).
    let kind = rawValue >> 3
    return kind == Self.reference.rawValue >> 3 || kind == Self.conditionalReference.rawValue >> 3
  }
}
