import CommandSupport
import Foundation
import Keepsake

/// The path of a value in an archive: `contacts[0].name`, `@7.draft`, `@Note.draft`, `settings["font size"]`,
/// `log[100..<200]`.
struct ValuePath {
  enum Step: Equatable {
    /// A key of a record, or a scope.
    case name(String)
    /// A place in an array, or a whole number that is a key of a dictionary.
    case index(Int)
    /// A key of a dictionary or a record, with any characters.
    case quoted(String)

    var isPlainName: Bool { if case .name = self { true } else { false } }
  }

  /// The object that a path begins at.
  enum Start: Equatable {
    case object(ArchiveObjectID)
    /// The only object with a type, or with a restoration identifier.
    case named(String)
  }

  /// The object that the path begins at; nil for the root.
  private(set) var start: Start?
  private(set) var steps: [Step] = []
  /// The range of the elements in the array at the path; nil for the whole array.
  private(set) var places: Places?

  /// A range of places in an array; both ends may be left out.
  struct Places: Equatable {
    var first = 0
    /// The end of the range; nil for the end of the array.
    var end: Int?

    /// The places that an array of a length has.
    func range(in count: Int) -> Range<Int> {
      let end = min(end ?? count, count)
      return min(first, end)..<end
    }
  }

  /// Reads a path; an empty one is the root.
  init(_ text: String) throws(Failure) {
    // The text is read by bytes: a combining mark would join the character before it.
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "@") {
      rest = rest.dropFirst()
      guard let start = Self.start(&rest) else { throw Self.malformed(text) }
      self.start = start
    } else if let first = rest.first, first != UInt8(ascii: "["), first != UInt8(ascii: ".") {
      steps.append(.name(Self.name(&rest)))
    }
    while let first = rest.popFirst() {
      switch first {
      case UInt8(ascii: "."):
        let name = Self.name(&rest)
        guard !name.isEmpty else { throw Self.malformed(text) }
        steps.append(.name(name))
      case UInt8(ascii: "["):
        if let places = Self.places(&rest) {
          guard rest.isEmpty else { throw Self.malformed(text) }
          self.places = places
          return
        }
        guard let step = Self.bracketed(&rest), rest.popFirst() == UInt8(ascii: "]") else {
          throw Self.malformed(text)
        }
        steps.append(step)
      default: throw Self.malformed(text)
      }
    }
  }

  /// The path of the object with a name, in quotes where the name requires them.
  static func spelling(of name: String) -> String {
    guard let first = name.first,
      first.isNumber || first == "-" || name.contains(where: { ".[".contains($0) })
    else { return "@\(name)" }
    let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "@[\"\(escaped)\"]"
  }

  /// The object after an at sign: its number, or its name, which may be in quotes.
  private static func start(_ text: inout ArraySlice<UInt8>) -> Start? {
    if text.first == UInt8(ascii: "[") {
      var rest = text.dropFirst()
      guard case .quoted(let name)? = bracketed(&rest), rest.popFirst() == UInt8(ascii: "]") else {
        return nil
      }
      text = rest
      return .named(name)
    }
    guard let first = text.first, first != UInt8(ascii: "-") else { return nil }
    guard (0x30...0x39).contains(first) else {
      let name = name(&text)
      return name.isEmpty ? nil : .named(name)
    }
    let digits = text.prefix { (0x30...0x39).contains($0) }
    text = text.dropFirst(digits.count)
    return UInt32(String(decoding: digits, as: UTF8.self)).map { .object(ArchiveObjectID($0)) }
  }

  /// The places after a bracket, as in `100..<200]`, `100...]` or `..<10]`; nil for anything else.
  private static func places(_ text: inout ArraySlice<UInt8>) -> Places? {
    guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let content = String(decoding: text[..<end], as: UTF8.self)
    let isClosed = content.contains("...")
    let parts = content.split(separator: isClosed ? "..." : "..<", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count < 19, parts[1].utf8.count < 19,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    var places = Places()
    if let first = Int(parts[0]) { places.first = first }
    if let last = Int(parts[1]) { places.end = isClosed ? last + 1 : last }
    text = text[(end + 1)...]
    return places
  }

  /// The name that a text begins with.
  private static func name(_ text: inout ArraySlice<UInt8>) -> String {
    let name = text.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
    text = text.dropFirst(name.count)
    return String(decoding: name, as: UTF8.self)
  }

  /// The step in brackets: a place, or a name in quotes.
  private static func bracketed(_ text: inout ArraySlice<UInt8>) -> Step? {
    guard text.first == UInt8(ascii: "\"") else {
      let sign = text.first == UInt8(ascii: "-") ? text.prefix(1) : []
      let digits = text.dropFirst(sign.count).prefix { (0x30...0x39).contains($0) }
      text = text.dropFirst(sign.count + digits.count)
      return Int(String(decoding: sign + digits, as: UTF8.self)).map { .index($0) }
    }
    text = text.dropFirst()
    var name: [UInt8] = []
    while let byte = text.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = text.popFirst() else { return nil }
        name.append(escaped)
      case UInt8(ascii: "\""): return .quoted(String(decoding: name, as: UTF8.self))
      default: name.append(byte)
      }
    }
    return nil
  }

  private static func malformed(_ text: String) -> Failure {
    Failure(
      "\"\(text.shortened)\" is not the path of a value; write one as in contacts[0].name, @7.draft, "
        + "log[100..<200] or settings[\"font size\"].", .usage)
  }
}

/// Follows paths in an archive, and reads only the values on them.
struct ValueFinder {
  private let archive: Archive

  init(_ archive: Archive) { self.archive = archive }

  /// The object that a path begins at.
  func object(at path: ValuePath) throws -> ArchiveObjectID { try start(of: path).objectID }

  /// True when the value in a file of `SealedValueStore` has the first key of a path, and the root has not.
  func beginsInWrappedValue(_ path: ValuePath) throws -> Bool {
    let root = try start(of: path)
    guard let inner = try Self.wrappedValue(in: root), let first = path.steps.first else {
      return false
    }
    var rest = path.steps.dropFirst()
    if try Self.next(first, &rest, in: root) != nil { return false }
    // A new key belongs to the value, if that can have keys.
    return inner.tag == .record || inner.tag == .dictionary || inner.tag == .array
  }

  /// The field of a record that the first steps of a path name, and how many steps do; nil if it has no such field.
  static func field(
    _ steps: ArraySlice<ValuePath.Step>, in record: DynamicRecord
  ) -> (index: Int, count: Int)? {
    guard let step = steps.first, let first = name(step) else { return nil }
    let more = steps.dropFirst().prefix(while: \.isPlainName).compactMap(name)
    var runs = [[first] + more]
    if case .quoted = step { runs.insert([first], at: 0) }
    let fields = record.fields
    for run in runs {
      for spelling in KeySpelling.allCases {
        let run = NameRun(run, spelling)
        let found = fields.indices.compactMap { index in
          run.count(of: fields[index].key, in: fields[index].scope).map {
            (index, $0)
          }
        }
        if let best = found.max(by: { $0.1 < $1.1 }) { return (best.0, best.1) }
      }
    }
    return nil
  }

  /// True when a key of a dictionary is the one that a step names, in any spelling.
  static func isKey(_ key: DynamicValue, _ step: ValuePath.Step) -> Bool {
    KeySpelling.allCases.contains { isKey(key, step, $0) }
  }

  /// The place of the value at a path; for a reference, the object that it leads to.
  ///
  /// A file of `SealedValueStore` or `SealedValue` has its value under the key `value`: a path that the root does not
  /// have is looked for in that value.
  func place(at path: ValuePath) throws -> ValuePlace {
    var place = try start(of: path)
    var rest = path.steps[...]
    var wrapped = path.start == nil ? try Self.wrappedValue(in: place) : nil
    var isAtRoot = path.start == nil
    while let step = rest.popFirst() {
      place = try self.object(at: place, step) ?? place
      var next = try Self.next(step, &rest, in: place)
      if next == nil, let inner = wrapped { next = try Self.next(step, &rest, in: inner) }
      guard let next else {
        throw try absent(step, in: place, wrapped, isAtRoot: isAtRoot)
      }
      (place, wrapped, isAtRoot) = (next, nil, false)
    }
    if path.places != nil, path.steps.isEmpty, let inner = wrapped { place = inner }
    guard place.tag == .reference, case .reference(let id?) = try place.value() else {
      return place
    }
    return try self.place(of: id)
  }

  /// The value of a file of `SealedValueStore` or `SealedValue`; nil for any other root.
  private static func wrappedValue(in root: ValuePlace) throws(ArchiveError) -> ValuePlace? {
    try root.value { scopes, key in
      scopes.isEmpty && !key.isReserved && key.name.hasSameBytes(as: "value")
    }
  }

  /// The object that a path begins at.
  private func start(of path: ValuePath) throws -> ValuePlace {
    switch path.start {
    case nil: try place(of: archive.rootID)
    case .object(let id)?: try place(of: id)
    case .named(let name)?: try place(of: ObjectNames(archive).id(of: name))
    }
  }

  /// The elements of an array in the range of a path.
  func elements(at place: ValuePlace, _ places: ValuePath.Places) throws -> ArrayPart {
    guard let count = try place.count() else {
      throw Failure(
        "There is no array there but \(try Self.description(of: place)), so it has no places; leave the range out.",
        .damaged)
    }
    return ArrayPart(place: place, range: places.range(in: count))
  }

  private func place(of id: ArchiveObjectID) throws -> ValuePlace {
    do throws(ArchiveError) {
      return try archive.place(of: id)
    } catch {
      guard error.code == .noSuchObject else { throw error }
      throw Failure(
        "There is no object \(id); the archive has \(archive.objectCount), and their numbers begin "
          + "with 1.", .noInput)
    }
  }

  /// The object that a reference leads to; nil at any other value.
  private func object(at place: ValuePlace, _ step: ValuePath.Step) throws -> ValuePlace? {
    guard place.tag == .reference || place.tag == .conditionalReference else { return nil }
    switch try place.value() {
    case .reference(let id?): return try self.place(of: id)
    case .conditionalReference(let reference):
      let objects = try archive.conditionalObjects
      guard reference.number >= 1, Int(reference.number) <= objects.count,
        let id = objects[Int(reference.number) - 1]
      else { throw Self.absent(step, in: "no object", nearest: nil) }
      return try self.place(of: id)
    default: return nil
    }
  }

  /// The value that a step leads to; a key in scopes, or with periods in it, also uses up the steps after it.
  private static func next(
    _ step: ValuePath.Step, _ rest: inout ArraySlice<ValuePath.Step>, in place: ValuePlace
  ) throws(ArchiveError) -> ValuePlace? {
    for spelling in KeySpelling.allCases {
      if let value = try place.entry(where: { isKey($0, step, spelling) }) { return value }
    }
    if case .index(let index) = step { return try place.element(index) }
    // A name in quotes begins a key. It is tried as a whole key first, and only then as the first part of one.
    let names = [name(step)].compactMap { $0 } + rest.prefix(while: \.isPlainName).compactMap(name)
    var runs = [names]
    if case .quoted = step { runs.insert(Array(names.prefix(1)), at: 0) }
    for run in runs {
      for spelling in KeySpelling.allCases {
        if let value = try value(of: NameRun(run, spelling), &rest, in: place) { return value }
      }
    }
    return nil
  }

  /// The value of the key that covers the most names of a run.
  private static func value(
    of run: NameRun, _ rest: inout ArraySlice<ValuePath.Step>, in place: ValuePlace
  ) throws(ArchiveError) -> ValuePlace? {
    var most = 0
    _ = try place.value { scopes, key in
      most = max(most, run.count(of: key, in: scopes) ?? 0)
      return false
    }
    guard most > 0 else { return nil }
    rest = rest.dropFirst(most - 1)
    return try place.value { scopes, key in run.count(of: key, in: scopes) == most }
  }

  static func name(_ step: ValuePath.Step) -> String? {
    switch step {
    case .name(let name), .quoted(let name): name
    case .index: nil
    }
  }

  /// True when a key of a dictionary is the one that a step names.
  private static func isKey(
    _ key: DynamicValue, _ step: ValuePath.Step, _ spelling: KeySpelling
  ) -> Bool {
    switch (key, step) {
    case (.string(let text), .name(let name)), (.string(let text), .quoted(let name)):
      spelling.name(given: text).hasSameBytes(as: spelling.name(given: name))
    case (.signed(let number, _), .index(let index)): Int64(index) == number
    case (.unsigned(let number, _), .index(let index)): index >= 0 && UInt64(index) == number
    default: key.description == name(step)
    }
  }

  private static func description(of place: ValuePlace) throws(ArchiveError) -> String {
    if let count = try place.count() { return "an array of \(count)" }
    if place.isObject { return "object \(place.objectID)" }
    return place.isNil ? "a nil" : "a value of type \(place.tag)"
  }

  /// The failure of a step, with the nearest name that there is.
  ///
  /// The first step of a path may have been meant for an object, which a path names after an at sign.
  private func absent(
    _ step: ValuePath.Step, in place: ValuePlace, _ wrapped: ValuePlace?, isAtRoot: Bool
  ) throws -> Failure {
    var names: [String] = []
    for place in [place] + (wrapped.map { [$0] } ?? []) { try Self.collectNames(of: place, &names) }
    var nearest = Self.name(step).flatMap { Suggestion.nearest(to: $0, in: names) }
    if nearest == nil, isAtRoot, let name = Self.name(step) {
      nearest = try ObjectNames(archive).nearest(to: name)
    }
    return Self.absent(step, in: try Self.description(of: place), nearest: nearest)
  }

  /// Adds the names of the keys of a record or a dictionary, as a path takes them.
  private static func collectNames(
    of place: ValuePlace, _ names: inout [String]
  ) throws(ArchiveError) {
    var found: [String] = []
    _ = try place.value { scopes, key in
      if found.count < Suggestion.candidateLimit,
        KeySpelling.byteCount(scopes, key) <= Suggestion.longest
      {
        found.append(KeySpelling.shown.name(scopes, key))
      }
      return found.count >= Suggestion.candidateLimit
    }
    _ = try place.entry { key in
      if case .string(let name) = key, name.utf8.count <= Suggestion.longest { found.append(name) }
      return found.count >= Suggestion.candidateLimit
    }
    names += found
  }

  private static func absent(
    _ step: ValuePath.Step, in place: String, nearest: String?
  ) -> Failure {
    let text =
      switch step {
      case .name(let name): ".\(name.shortened)"
      case .index(let index): "[\(index)]"
      case .quoted(let name): "[\"\(name.shortened)\"]"
      }
    let suggestion = nearest.map { "did you mean \"\($0)\"? " } ?? ""
    return Failure(
      "There is no \(text) in \(place); \(suggestion)\"keepsake inspect\" shows what there is.",
      .noInput)
  }
}

/// Some elements of an array, which are read one by one.
struct ArrayPart {
  let place: ValuePlace
  let range: Range<Int>

  /// Passes the places of the elements to a closure.
  func forEach(_ body: (ValuePlace) throws -> Void) throws {
    for index in range {
      guard let element = try place.element(index) else { return }
      try body(element)
    }
  }
}

/// The names by which a user finds objects: their types, and in a saved state their restoration identifiers.
private struct ObjectNames {
  /// The most numbers of objects that a sentence lists.
  private static let listedLimit = 8

  private let archive: Archive

  init(_ archive: Archive) { self.archive = archive }

  /// The only object with a name.
  func id(of name: String) throws -> ArchiveObjectID {
    var found: [ArchiveObjectID] = []
    for entry in SavedStateOutline(archive)?.entries ?? []
    where entry.path.identifier.hasSameBytes(as: name) {
      found.append(entry.objectID)
    }
    if found.isEmpty {
      for number in 0..<archive.objectCount {
        let id = ArchiveObjectID(UInt32(clamping: number + 1))
        if try archive.object(id).typeName.hasSameBytes(as: name) { found.append(id) }
      }
    }
    guard let first = found.first else {
      let nearest = try nearest(to: name)
      throw Failure(
        "There is no object of the type or with the identifier \"\(name.shortened)\"; "
          + (nearest.map { "did you mean \"\($0)\"? " } ?? "")
          + "\"keepsake inspect\" shows what there is.", .noInput)
    }
    guard found.count == 1 else {
      let listed = found.prefix(Self.listedLimit).map { "@\($0.rawValue)" }.joined(separator: ", ")
      let more = found.count > Self.listedLimit ? " and others" : ""
      throw Failure(
        "There are \(found.count) objects \"\(name.shortened)\"; name one by its number: \(listed)\(more).",
        .usage)
    }
    return first
  }

  /// The path of the object with the nearest name; nil if none is near.
  ///
  /// The types of the first objects are compared, so that little is read of a large archive.
  func nearest(to name: String) throws -> String? {
    var names: Set<String> = []
    for entry in SavedStateOutline(archive)?.entries.prefix(Suggestion.candidateLimit) ?? [] {
      names.insert(entry.path.identifier)
    }
    for number in 0..<min(archive.objectCount, Suggestion.candidateLimit) {
      names.insert(try archive.object(ArchiveObjectID(UInt32(clamping: number + 1))).typeName)
    }
    return Suggestion.nearest(to: name, in: names.sorted()).map(ValuePath.spelling)
  }
}
