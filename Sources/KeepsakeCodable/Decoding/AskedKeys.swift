package import KeepsakeArchive

/// The keys that types asked for while one archive was decoded (Spec/state.md, section 6).
package final class AskedKeys {
  /// The keys that were asked for in one record, or in one dictionary that was read by keys.
  package final class Names {
    package internal(set) var keys: Set<ArchiveKey> = []
    /// True when the list of keys was read, so that it is unknown which of them the type knows.
    package internal(set) var isListRead = false
  }

  private var names: [StoredPlace: Names] = [:]

  /// The names of a value, to which the keys that it is asked for are added.
  func opened(_ value: ValueView) -> Names {
    let known = names[value.place] ?? Names()
    names[value.place] = known
    return known
  }

  /// The keys that were asked for in a value; nil when no type opened it by keys.
  package func names(in value: ValueView) -> Names? { names[value.place] }
}
