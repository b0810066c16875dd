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
    var place = try place(of: path.start ?? archive.rootID)
    var rest = path.steps[...]
    while let step = rest.popFirst() {
      place = try self.object(at: place, step) ?? place
      guard let next = try Self.next(step, &rest, in: place) else {
        throw Self.absent(step, in: try Self.description(of: place))
      }
      place = next
    }
    let value = try place.value()
    // An object at the end is shown, and not only its number.
    if case .reference(let id?) = value { return try self.place(of: id).value() }
    return value
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

  /// The value that a step leads to; of a key in scopes, or with periods in it, the steps after it, too.
  private static func next(
    _ step: ValuePath.Step, _ rest: inout ArraySlice<ValuePath.Step>, in place: ValuePlace
  ) throws(ArchiveError) -> ValuePlace? {
    if let value = try place.entry(where: { isKey($0, step) }) { return value }
    if case .index(let index) = step { return try place.element(index) }
    guard var text = name(step) else { return nil }
    var taken = 0
    while true {
      let value = try place.value { scopes, key in
        (scopes + [key.isReserved ? key.description : key.name]).joined(separator: ".") == text
      }
      if let value {
        rest = rest.dropFirst(taken)
        return value
      }
      guard taken < rest.count, let next = name(rest[rest.startIndex + taken]) else { return nil }
      text += "." + next
      taken += 1
    }
  }

  private static func name(_ step: ValuePath.Step) -> String? {
    switch step {
    case .name(let name), .quoted(let name): name
    case .index: nil
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

  private static func description(of place: ValuePlace) throws(ArchiveError) -> String {
    if let count = try place.count() { return "an array of \(count)" }
    if place.isObject { return "object \(place.objectID)" }
    return place.isNil ? "a nil" : "a value of type \(place.tag)"
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
