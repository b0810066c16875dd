/// The keys that an object has read while it decodes, in case it fails before it has read all.
///
/// Every value that is read adds to it, so that this has to cost next to nothing. Objects of one type follow
/// each other and read the same keys: a key that the object before has read at the same place is only counted.
/// And no access is checked for overlapping another one. None can overlap: no code of a caller runs within one,
/// and a log stays on one actor.
@usableFromInline
package final class KeyLog {
  private struct Entry {
    let name: String
    /// The bits of the name, which stay meaningful as long as the name is here.
    let identity: StringIdentity
    /// The number of the scope, from 1; 0 for none.
    let scope: Int
  }

  /// The keys of this object, and after them those of the object before.
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// How many keys this object has read.
  @exclusivity(unchecked) private var count = 0
  /// The names of the scopes that were opened, from the outermost on.
  @exclusivity(unchecked) private var scopes: [String] = []

  /// Makes a log of no keys.
  package init() { unsafe entries.reserveCapacity(32) }

  /// Adds a key that was read.
  @usableFromInline
  package func add(_ name: String, inScope scope: Int) {
    // Equal bits are an equal name; the same key of a program is the same literal.
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

  /// Begins anew for another object.
  package func clear() {
    unsafe count = 0
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
    return unsafe entries[..<count].compactMap { entry in
      let name = unsafe entry.scope == 0 ? entry.name : scopes[entry.scope - 1] + "." + entry.name
      return seen.insert(ArchiveKey(name)).inserted ? name : nil
    }
  }
}
