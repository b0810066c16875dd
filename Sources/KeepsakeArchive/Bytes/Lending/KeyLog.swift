/// The keys that an object has read while it decodes, for an error before it has read all.
///
/// Every read value adds to it, so adding must cost next to nothing. Objects of one type follow each other and read
/// the same keys: a key that the previous object read at the same place is only counted. No access is checked for
/// overlap with another one. None can overlap, since an access calls no code of a caller, and a log stays on one
/// actor.
@usableFromInline
package final class KeyLog {
  private struct Entry {
    let name: String
    /// The bits of the name, which are meaningful while the name is kept here.
    let identity: StringIdentity
    /// The number of the scope, from 1; 0 outside of all scopes.
    let scope: Int
  }

  /// The keys of this object, and after them those of the previous object.
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The number of keys that this object has read.
  @exclusivity(unchecked) private var count = 0
  /// The paths of the scopes that were opened, by their numbers.
  @exclusivity(unchecked) private var scopes: [String] = []

  package init() { unsafe entries.reserveCapacity(32) }

  @usableFromInline
  package func add(_ name: String, inScope scope: Int) {
    // Equal bits mean equal names; a key of a program is always the same literal.
    if unsafe count < entries.count, unsafe entries[count].scope == scope,
      unsafe entries[count].identity == StringIdentity(name)
    {
      unsafe count &+= 1
    } else {
      addAnother(name, inScope: scope)
    }
  }

  @inline(never)
  private func addAnother(_ name: String, inScope scope: Int) {
    unsafe entries.removeLast(entries.count - count)
    unsafe entries.append(Entry(name: name, identity: StringIdentity(name), scope: scope))
    unsafe count &+= 1
  }

  package func clear() {
    unsafe count = 0
    if unsafe !scopes.isEmpty { unsafe scopes.removeAll(keepingCapacity: true) }
  }

  /// Opens a scope inside another one, and returns its number.
  package func openScope(_ name: String, in outer: Int) -> Int {
    unsafe scopes.append(outer == 0 ? name : scopes[outer - 1] + "." + name)
    return unsafe scopes.count
  }

  /// The keys that were read, in order, each once.
  package var names: [String] {
    var seen: Set<ArchiveKey> = []
    return unsafe entries[..<count].compactMap { entry in
      let name = unsafe entry.scope == 0 ? entry.name : scopes[entry.scope - 1] + "." + entry.name
      return seen.insert(ArchiveKey(name)).inserted ? name : nil
    }
  }
}
