/// The keys that an object has read while it decodes, in case it fails before it has read all.
///
/// Every value that is read adds to it, so that this has to cost next to nothing: the array keeps its memory
/// from object to object, and no access to it is checked for overlapping another one. None can overlap: no
/// code of a caller runs within one, and a log stays on one actor.
@usableFromInline
package final class KeyLog {
  private struct Entry {
    let name: String
    /// The number of the scope, from 1; 0 for none.
    let scope: Int
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The names of the scopes that were opened, from the outermost on.
  @exclusivity(unchecked) private var scopes: [String] = []

  /// Makes a log of no keys.
  package init() { unsafe entries.reserveCapacity(32) }

  /// Adds a key that was read.
  @usableFromInline
  package func add(_ name: String, inScope scope: Int) {
    unsafe entries.append(Entry(name: name, scope: scope))
  }

  /// Begins anew for another object.
  package func clear() {
    unsafe entries.removeAll(keepingCapacity: true)
    if unsafe !scopes.isEmpty { unsafe scopes.removeAll(keepingCapacity: true) }
  }

  /// Opens a scope inside another one.
  ///
  /// - Returns: Its number.
  package func openScope(_ name: String, in outer: Int) -> Int {
    unsafe scopes.append(outer == 0 ? name : scopes[outer - 1] + "." + name)
    return unsafe scopes.count
  }

  /// The keys that were read, in their order, each once.
  package var names: [String] {
    var seen: Set<ArchiveKey> = []
    return unsafe entries.compactMap { entry in
      let name = unsafe entry.scope == 0 ? entry.name : scopes[entry.scope - 1] + "." + entry.name
      return seen.insert(ArchiveKey(name)).inserted ? name : nil
    }
  }
}
