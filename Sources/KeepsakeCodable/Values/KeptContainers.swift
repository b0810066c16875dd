import KeepsakeArchive

/// The keyed containers of one level of nesting, by the types of their keys.
///
/// To make one takes longer than to read or write a small record through it, so each is used again when its
/// user has let go of it.
class KeptContainers<Place: AnyObject> {
  /// Values at one level mostly have fewer types of keys.
  private static var limit: Int { 16 }

  /// The container that was made last; each leads to the one before.
  private var newest: KeptContainer<Place>?
  private var count = 0
  /// The one asked for last: values of one type often follow each other.
  private var last: KeptContainer<Place>?

  /// A container of keys of a type that nobody has.
  @inline(__always)
  final func freeContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    if let last, last.keys == keys, last.reference.isFree { return last }
    return findContainer(for: keys)
  }

  @inline(never)
  private final func findContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    var next = newest
    while let container = next {
      if container.keys == keys, container.reference.isFree {
        last = container
        return container
      }
      next = container.madeBefore
    }
    return nil
  }

  /// Keeps a container, and no other if there are too many.
  final func keep(_ container: KeptContainer<Place>) {
    if count == KeptContainers.limit { leaveContainers() }
    container.madeBefore = newest
    newest = container
    count += 1
    last = container
  }

  /// Lets go of a container.
  final func leave(_ container: KeptContainer<Place>) {
    if last === container { last = nil }
    count -= 1
    if newest === container { return newest = container.madeBefore }
    var next = newest
    while let other = next {
      if other.madeBefore === container { return other.madeBefore = container.madeBefore }
      next = other.madeBefore
    }
    // It was let go of before.
    count += 1
  }

  /// Lets go of all.
  final func leaveContainers() {
    newest = nil
    last = nil
    count = 0
  }
}

/// A keyed container that is used again.
final class KeptContainer<Place: AnyObject> {
  /// The type of its keys.
  let keys: ObjectIdentifier
  /// What it reads from or writes to.
  let place: Place
  let reference: ReusableReference
  fileprivate var madeBefore: KeptContainer?
  /// Whether the present value asked for it, and the one that it asked for before.
  var isOpened = false
  var openedBefore: KeptContainer?

  init<Container>(_ container: Container, keys: ObjectIdentifier, place: Place) {
    reference = ReusableReference.keeping(container)
    self.keys = keys
    self.place = place
  }
}
