import KeepsakeArchive

/// The keyed containers of one level, by the types of their keys.
///
/// To make one takes longer than to read or write a small record through it, so each is used again when its
/// user has let go of it. A class, since a structure in a property would be guarded against overlapping
/// access at every use.
final class KeptContainers<Place: AnyObject> {
  /// Values at one level mostly have fewer types of keys.
  private static var limit: Int { 16 }

  private var all: [KeptContainer<Place>] = []
  /// The one asked for last: values of one type often follow each other.
  private var last: KeptContainer<Place>?

  /// A container of keys of a type that nobody has.
  @inline(__always)
  func free(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    if let last, last.keys == keys, last.reference.isFree { return last }
    return find(keys)
  }

  @inline(never)
  private func find(_ keys: ObjectIdentifier) -> KeptContainer<Place>? {
    for container in all where container.keys == keys && container.reference.isFree {
      last = container
      return container
    }
    return nil
  }

  /// Keeps a container in the place of the oldest, if there are many.
  func keep(_ container: KeptContainer<Place>) {
    if all.count == KeptContainers.limit { all.removeFirst() }
    all.append(container)
    last = container
  }

  /// Lets go of a container.
  func leave(_ container: KeptContainer<Place>) {
    all.removeAll { $0 === container }
    if last === container { last = nil }
  }

  /// Lets go of all.
  func leaveAll() {
    all = []
    last = nil
  }
}

/// A keyed container that is used again.
final class KeptContainer<Place: AnyObject> {
  /// The type of its keys.
  let keys: ObjectIdentifier
  /// What it reads from or writes to.
  let place: Place
  let reference = ReusableReference()
  /// Whether the present value asked for it, and the one that it asked for before.
  var isOpened = false
  var openedBefore: KeptContainer?

  init(keys: ObjectIdentifier, place: Place) {
    self.keys = keys
    self.place = place
  }
}
