package import KeepsakeArchive

/// The keys that types asked for while one archive was decoded (Spec/state.md, section 6).
package final class AskedKeys {
  /// The keys that were asked for in one record, or in one dictionary that was read by keys.
  package final class Names {
    package fileprivate(set) var keys: Set<ArchiveKey> = []
    /// True when the list of keys was read, so that it is unknown which of them the type knows.
    package fileprivate(set) var isListRead = false

    func add(_ name: String) { keys.insert(ArchiveKey(name)) }

    func addList() { isListRead = true }
  }

  private var names: [StoredPlace: Names] = [:]

  /// A container that notes the keys that it is asked for.
  func watching<Key: CodingKey>(
    _ container: KeyedDecodingContainer<Key>, of value: ValueView
  ) -> KeyedDecodingContainer<Key> {
    let noted = names[value.place] ?? Names()
    names[value.place] = noted
    return KeyedDecodingContainer(WatchedContainer(container: container, names: noted))
  }

  /// The keys that were asked for in a value; nil when no type opened it by keys.
  package func names(in value: ValueView) -> Names? { names[value.place] }
}
