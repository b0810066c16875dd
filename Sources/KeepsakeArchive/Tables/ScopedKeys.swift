import Synchronization

/// A key with the names of the scopes that it is declared in, shared by all fields that have it.
package final class ScopedKey: Sendable {
  package let scope: [String]
  package let key: ArchiveKey

  package init(_ scope: [String], _ key: ArchiveKey) {
    self.scope = scope
    self.key = key
  }
}

/// The keys in scopes of an archive, and the names of their scopes: made once for each entry of the key table, when
/// a value under it is read without its type.
///
/// 64 scopes may contain a name, and one bit may be stored under it: names for each value would take thousands of
/// times the bytes of the archive.
final class ScopedKeys: Sendable {
  private struct Known {
    var keys: [Int: ScopedKey] = [:]
    var scopes: [Int: [String]] = [:]

    mutating func scope(_ number: Int, _ entries: [KeyEntry]) -> [String] {
      if let known = scopes[number] { return known }
      var names: [String] = []
      var entry = number
      while entry != KeyEntry.topScope {
        names.append(entries[entry].name)
        entry = entries[entry].scope
      }
      names.reverse()
      scopes[number] = names
      return names
    }
  }

  private let known = Mutex(Known())

  /// The names of the scopes from the outermost to an entry, which is a scope.
  func scope(_ number: Int, _ entries: [KeyEntry]) -> [String] {
    known.withLock { $0.scope(number, entries) }
  }

  func key(_ number: Int, _ entries: [KeyEntry]) -> ScopedKey {
    known.withLock { known in
      if let key = known.keys[number] { return key }
      let entry = entries[number]
      let key = ScopedKey(known.scope(entry.scope, entries), entry.archiveKey)
      known.keys[number] = key
      return key
    }
  }
}
