import CommandSupport
import Foundation
import Keepsake

/// The path of a value in an archive: `contacts[0].name`, `@7.draft`, `settings["font size"]`.
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

  /// The object that the path begins at; nil for the root.
  private(set) var start: ArchiveObjectID?
  private(set) var steps: [Step] = []

  /// Reads a path; an empty one is the root.
  init(_ text: String) throws(Failure) {
    // The text is read by bytes: a combining mark would join the character before it.
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "@") {
      rest = rest.dropFirst()
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard let number = UInt32(String(decoding: digits, as: UTF8.self)) else {
        throw Self.malformed(text)
      }
      start = ArchiveObjectID(number)
      rest = rest.dropFirst(digits.count)
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
        guard let step = Self.bracketed(&rest), rest.popFirst() == UInt8(ascii: "]") else {
          throw Self.malformed(text)
        }
        steps.append(step)
      default: throw Self.malformed(text)
      }
    }
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
      "\"\(text.shortened)\" is no path of a value; write one as in contacts[0].name, @7.draft or "
        + "settings[\"font size\"].", .usage)
  }
}

/// Follows paths in an archive, and reads only the values on them.
struct ValueFinder {
  private let archive: Archive

  init(_ archive: Archive) { self.archive = archive }

  /// The place of the value at a path; for a reference, the object that it leads to.
  func place(at path: ValuePath) throws -> ValuePlace {
    var place = try place(of: path.start ?? archive.rootID)
    var rest = path.steps[...]
    while let step = rest.popFirst() {
      place = try self.object(at: place, step) ?? place
      guard let next = try Self.next(step, &rest, in: place) else {
        throw Self.absent(step, in: try Self.description(of: place))
      }
      place = next
    }
    guard place.tag == .reference, case .reference(let id?) = try place.value() else {
      return place
    }
    return try self.place(of: id)
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
      else { throw Self.absent(step, in: "no object") }
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

  private static func name(_ step: ValuePath.Step) -> String? {
    switch step {
    case .name(let name), .quoted(let name): name
    case .index: nil
    }
  }

  /// Whether a key of a dictionary is the one that a step names.
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

  private static func absent(_ step: ValuePath.Step, in place: String) -> Failure {
    let text =
      switch step {
      case .name(let name): ".\(name.shortened)"
      case .index(let index): "[\(index)]"
      case .quoted(let name): "[\"\(name.shortened)\"]"
      }
    return Failure(
      "There is no \(text) in \(place); \"keepsake inspect\" shows what there is.", .noInput)
  }
}
