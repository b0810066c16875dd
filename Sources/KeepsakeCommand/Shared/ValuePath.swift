import CommandSupport
import Foundation
import Keepsake

/// Where a value lies in an archive: `contacts[0].name`, `@7.draft`, `settings["font size"]`.
struct ValuePath {
  enum Step: Equatable {
    /// A key of a record, or a scope.
    case name(String)
    /// A place in an array, or a whole number that is a key of a dictionary.
    case index(Int)
    /// A key of a dictionary, or of a record whatever characters it has.
    case quoted(String)
  }

  /// The object that it begins at; `nil` for the root.
  private(set) var start: ArchiveObjectID?
  private(set) var steps: [Step] = []

  /// Reads a path; an empty one is the root.
  init(_ text: String) throws(Failure) {
    var rest = text[...]
    if rest.first == "@" {
      rest = rest.dropFirst()
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = UInt32(digits) else { throw Self.malformed(text) }
      start = ArchiveObjectID(number)
      rest = rest.dropFirst(digits.count)
    } else if let first = rest.first, first != "[", first != "." {
      rest = "." + rest
    }
    while let first = rest.first {
      guard first == "." || first == "[", let (step, count) = Self.step(rest) else {
        throw Self.malformed(text)
      }
      steps.append(step)
      rest = rest.dropFirst(count)
    }
  }

  /// The step that a text begins with, and how many characters it has.
  private static func step(_ text: Substring) -> (Step, Int)? {
    if text.first == "." {
      let name = text.dropFirst().prefix { $0 != "." && $0 != "[" }
      return name.isEmpty ? nil : (.name(String(name)), name.count + 1)
    }
    let inner = text.dropFirst()
    guard inner.first == "\"" else {
      let digits = inner.prefix { $0 != "]" }
      guard let number = Int(digits), inner.dropFirst(digits.count).first == "]" else { return nil }
      return (.index(number), digits.count + 2)
    }
    var name = ""
    var characters = inner.dropFirst()
    while let character = characters.popFirst() {
      switch character {
      case "\\":
        guard let escaped = characters.popFirst() else { return nil }
        name.append(escaped)
      case "\"":
        guard characters.first == "]" else { return nil }
        return (.quoted(name), text.count - characters.count + 1)
      default: name.append(character)
      }
    }
    return nil
  }

  private static func malformed(_ text: String) -> Failure {
    Failure(
      "\"\(text)\" is no path of a value; write one as in contacts[0].name, @7.draft or "
        + "settings[\"font size\"].", .usage)
  }
}

/// Follows paths in an archive, and reads only what lies on them.
struct ValueFinder {
  private let archive: Archive

  init(_ archive: Archive) { self.archive = archive }

  /// The value at a path; an object is its record.
  func value(at path: ValuePath) throws -> ArchivedValue {
    try value(of: path.start ?? archive.rootID, path.steps[...])
  }

  private func value(
    of id: ArchiveObjectID, _ steps: ArraySlice<ValuePath.Step>
  ) throws -> ArchivedValue {
    let object = try self.object(id)
    var rest = steps
    guard let step = rest.popFirst() else { return .record(try object.dynamicRecord()) }
    guard let (value, used) = try Self.stored(step, rest, in: object, "object \(id)") else {
      throw Self.absent(step, in: "object \(id)")
    }
    return try self.value(value, rest.dropFirst(used))
  }

  private func object(_ id: ArchiveObjectID) throws -> ObjectDecoder {
    do throws(ArchiveError) {
      return try archive.object(id)
    } catch {
      guard error.code == .noSuchObject else { throw error }
      throw Failure(
        "There is no object \(id); the archive has \(archive.objectCount), and their numbers begin "
          + "with 1.", .noInput)
    }
  }

  /// The value of a key, read alone; how many more steps named the scopes before it.
  private static func stored(
    _ step: ValuePath.Step, _ rest: ArraySlice<ValuePath.Step>, in object: borrowing ObjectDecoder,
    _ place: String
  ) throws -> (ArchivedValue, Int)? {
    guard let name = name(step) else { return nil }
    if let key = key(name, in: object) { return (try object.dynamicValue(forKey: key), 0) }
    var rest = rest
    guard object.scopeNames.contains(name), let next = rest.popFirst() else { return nil }
    let scope = object.scope(name)
    return try stored(next, rest, in: scope, place).map { ($0.0, $0.1 + 1) }
  }

  private static func name(_ step: ValuePath.Step) -> String? {
    switch step {
    case .name(let name), .quoted(let name): name
    case .index: nil
    }
  }

  /// The key of a name; reserved ones have the form that they are shown in.
  private static func key(_ name: String, in object: borrowing ObjectDecoder) -> ArchiveKey? {
    if name == ArchiveKey.template.description, object.contains(.template) { return .template }
    let key = ArchiveKey(name)
    return object.contains(key) ? key : nil
  }

  private func value(
    _ start: ArchivedValue, _ steps: ArraySlice<ValuePath.Step>
  ) throws -> ArchivedValue {
    var (value, rest) = (start, steps)
    while let step = rest.popFirst() {
      switch (value, step) {
      case (.reference(let id?), _): return try self.value(of: id, [step] + rest)
      case (.conditionalReference(let reference), _):
        let objects = try archive.conditionalObjects
        guard reference.number >= 1, Int(reference.number) <= objects.count,
          let id = objects[Int(reference.number) - 1]
        else { throw Self.absent(step, in: "no object") }
        return try self.value(of: id, [step] + rest)
      case (.array(let values), .index(let place)), (.set(let values), .index(let place)):
        guard values.indices.contains(place) else {
          throw Self.absent(step, in: "an array of \(values.count)")
        }
        value = values[place]
      case (.dictionary(let entries), _):
        guard let entry = entries.first(where: { Self.isKey($0.key, step) }) else {
          throw Self.absent(step, in: "a dictionary")
        }
        value = entry.value
      case (.record(let record), _), (.enumeration(_, let record), _):
        guard let field = Self.field(step, &rest, in: record) else {
          throw Self.absent(step, in: "a record")
        }
        value = field
      default: throw Self.absent(step, in: "a value of type \(value.typeDescription)")
      }
    }
    // An object at the end is shown, and not only its number.
    if case .reference(let id?) = value { return try self.value(of: id, []) }
    return value
  }

  private static func field(
    _ step: ValuePath.Step, _ rest: inout ArraySlice<ValuePath.Step>, in record: ArchivedRecord
  ) -> ArchivedValue? {
    guard var text = name(step) else { return nil }
    var taken = 0
    while true {
      if let field = record.fields.first(where: { $0.plainName == text }) {
        rest = rest.dropFirst(taken)
        return field.value
      }
      guard taken < rest.count, let next = name(rest[rest.startIndex + taken]) else { return nil }
      text += "." + next
      taken += 1
    }
  }

  private static func isKey(_ key: ArchivedValue, _ step: ValuePath.Step) -> Bool {
    switch (key, step) {
    case (.string(let text), .name(let name)), (.string(let text), .quoted(let name)): text == name
    case (.signed(let number, _), .index(let index)): Int64(index) == number
    case (.unsigned(let number, _), .index(let index)): index >= 0 && UInt64(index) == number
    default: key.description == name(step)
    }
  }

  private static func absent(_ step: ValuePath.Step, in place: String) -> Failure {
    let text =
      switch step {
      case .name(let name): ".\(name)"
      case .index(let index): "[\(index)]"
      case .quoted(let name): "[\"\(name)\"]"
      }
    return Failure(
      "There is no \(text) in \(place); \"keepsake inspect\" shows what there is.", .noInput)
  }
}
