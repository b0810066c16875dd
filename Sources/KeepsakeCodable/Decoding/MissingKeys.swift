import KeepsakeArchive

/// Values for keys that an archive lacks: from a default of the whole, and from those of its types
/// (``ValueWithDefaults``).
///
/// A type may try a key and then, where it is absent, another one. So a default counts only after decoding has failed
/// for lack of its key; then all is decoded once more, and the default counts for all values of the type.
final class MissingKeys {
  /// A key in the default of a type, or of the whole.
  private struct Place: Hashable {
    var type: ObjectIdentifier?
    var path: [String]
  }

  /// A default as it is stored.
  fileprivate struct Default {
    let archive: Archive
    let value: ValueView
  }

  /// The maximum number of keys that are taken from defaults: each one costs a decoding of the whole.
  private static let limit = 1_000

  private let whole: (any Encodable)?
  private var storedWhole: Default?
  private var ofTypes: [ObjectIdentifier: Default?] = [:]
  private var taken: Set<Place> = []
  /// The last key that was missed and that a default has, and the path to it.
  private var missed: (place: Place, path: [String])?

  /// Keys that the default of a whole value has, if there is one.
  init(whole: (any Encodable)? = nil) { self.whole = whole }

  /// The value of a default for a key that is absent from the value of a level; nil without a default, or if it does
  /// not count yet.
  func value(forKey key: String, at level: DecodingLevel) throws -> ValueView? {
    let steps = level.steps
    missed = nil
    let names = steps.compactMap(\.name) + [key]
    if names.count == steps.count, let value = try wholeDefault()?.value(at: names) {
      return take(value, Place(type: nil, path: names), names)
    }
    // Positions in arrays have no default, so the search begins after the last.
    let first = steps.lastIndex { $0.isElement } ?? 0
    for index in first..<steps.count {
      guard let type = steps[index].type, let found = try ofType(type) else { continue }
      let path = steps[(index + 1)...].compactMap(\.name) + [key]
      if let value = found.value(at: path) {
        let place = Place(type: ObjectIdentifier(type), path: path)
        return take(value, place, level.codingPath.map(\.stringValue) + [key])
      }
    }
    return nil
  }

  private func take(_ value: ValueView, _ place: Place, _ path: [String]) -> ValueView? {
    if taken.contains(place) { return value }
    missed = (place, path)
    return nil
  }

  /// Activates the default of a key whose absence made decoding fail; false without a default.
  func take(_ key: any CodingKey, at path: [any CodingKey]) -> Bool {
    guard let missed, taken.count < Self.limit,
      missed.path == path.map(\.stringValue) + [key.stringValue]
    else { return false }
    return taken.insert(missed.place).inserted
  }

  private func wholeDefault() throws -> Default? {
    if let whole, storedWhole == nil { storedWhole = try Self.stored(whole) }
    return storedWhole
  }

  private func ofType(_ type: Any.Type) throws -> Default? {
    if let known = ofTypes[ObjectIdentifier(type)] { return known }
    let found = try (type as? any ValueWithDefaults.Type).map { try Self.stored($0.defaults) }
    ofTypes[ObjectIdentifier(type)] = .some(found)
    return found
  }

  private static func stored(_ value: some Encodable) throws -> Default {
    let archive = try Archive(Array(ArchiveEncoder().encode(value)))
    let root = try archive.object(archive.rootID)
    guard let value = root.storedValue(forKey: CodableArchive.rootKey.name) else {
      throw ArchiveError(.absentKey, "the default has no value")
    }
    return Default(archive: archive, value: value)
  }
}

extension MissingKeys.Default {
  /// The value at a path of keys in nested records.
  fileprivate func value(at path: [String]) -> ValueView? {
    var value = value
    for name in path {
      guard let next = (try? value.record())?.value(forKey: name) else { return nil }
      value = next
    }
    return value
  }
}

extension DecodingLevel {
  /// A step from the value of one level to that of the next.
  struct Step {
    /// The type that is decoded there, if that is known.
    var type: Any.Type?
    /// The key in the container around it; nil of the first value and of elements.
    var name: String?
    var isElement = false
  }
}
