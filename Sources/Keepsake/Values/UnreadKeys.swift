import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeCodable

/// Keys of a stored value that its type did not ask for, as a tree along the value.
struct UnreadKeys: Sendable {
  /// The way from a value to one that is nested in it.
  enum Step: Sendable {
    /// To the value under a key.
    case key(ArchiveKey)
    /// To an element of an array.
    case element(Int)
    /// To the value of a dictionary's entry.
    case entry(DynamicValue)
  }

  /// A nested value that has such keys.
  struct Part: Sendable {
    /// The way to it.
    let step: Step
    let keys: UnreadKeys
  }

  /// The keys of the value itself with what is stored under them.
  var fields: [DynamicRecord.Field] = []
  /// The names of keys of the value itself that cannot be kept, since the type read the list of its keys.
  var lost: [String] = []
  /// The nested values that have such keys.
  private(set) var parts: [Part] = []

  /// Makes an empty tree.
  init() {}

  /// True when there is no such key.
  var isEmpty: Bool { fields.isEmpty && lost.isEmpty && parts.isEmpty }

  /// Adds the keys of a nested value; an empty tree is left out.
  mutating func add(_ keys: UnreadKeys, at step: Step) {
    if !keys.isEmpty { parts.append(Part(step: step, keys: keys)) }
  }

  fileprivate mutating func add(_ field: DynamicRecord.Field, isListRead: Bool) {
    if isListRead { lost.append(field.key.name) } else { fields.append(field) }
  }
}

extension AskedKeys {
  /// The keys in a value, and in the values nested in it, that no type asked for.
  ///
  /// A value that no type opened by keys, such as a date, counts as known. `content` is the same value, as it was read
  /// without its type.
  func unread(in value: ValueView, of content: DynamicValue) -> UnreadKeys {
    var unread = UnreadKeys()
    switch content {
    case .record(let record):
      guard let names = names(in: value), let view = try? value.record() else { return unread }
      for field in record.fields {
        guard field.scope.isEmpty, names.keys.contains(field.key) else {
          unread.add(field, isListRead: names.isListRead)
          continue
        }
        guard field.value.isContainer, let inner = view.value(forKey: field.key.name) else {
          continue
        }
        unread.add(self.unread(in: inner, of: field.value), at: .key(field.key))
      }
    case .array(let elements):
      guard let views = try? value.elements() else { return unread }
      for index in elements.indices where elements[index].isContainer {
        unread.add(self.unread(in: views[index], of: elements[index]), at: .element(index))
      }
    case .dictionary(let entries):
      guard let views = try? value.entries().values else { return unread }
      let names = names(in: value)
      for index in entries.indices {
        let entry = entries[index]
        if let names, let name = entry.key.name, !names.keys.contains(ArchiveKey(name)) {
          unread.lost.append(name)
        } else if entry.value.isContainer {
          unread.add(self.unread(in: views[index], of: entry.value), at: .entry(entry.key))
        }
      }
    default: break
    }
    return unread
  }
}

extension DynamicValue {
  /// The name that the key of a dictionary has for a type that reads the dictionary by keys; nil for other keys.
  fileprivate var name: String? {
    switch self {
    case .string(let name): name
    case .signed(let number, _): String(number)
    case .unsigned(let number, _): String(number)
    default: nil
    }
  }
}
