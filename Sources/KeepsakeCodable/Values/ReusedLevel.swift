import KeepsakeArchive

/// One level of nesting, at which values are read or written one after the other.
///
/// A level is made when a value first nests that deep, and is reused by all later values, also of later calls.
protocol ReusedLevel: AnyObject {
  associatedtype Place: LevelPlace where Place.Level == Self

  var containers: [KeptContainer<Place>] { get }
  /// The level above; nil for that of a top-level value.
  var parent: Self? { get set }
  var below: Self? { get set }
  /// The key of the value in the container around it; nil for a top-level value and for an element of an array.
  var key: (any CodingKey)? { get set }
  /// The key of the value, or its index in the array around it.
  var pathKey: (any CodingKey)? { get }

  /// Makes the level of the values in a container of another level.
  init(below parent: Self)

  /// Ends a call in the data that all its levels share; false when they cannot be kept.
  func endSession() -> Bool
  func leaveCoder()
  func leaveContainers()
}

extension ReusedLevel {
  /// When a call made deeper levels than this, none of its levels are kept for the next call.
  private static var levelLimit: Int { 16 }

  /// The level of the values in a container of this one.
  @inline(__always)
  var next: Self {
    if let below { return below }
    let level = Self(below: self)
    below = level
    return level
  }

  /// The path to the current value.
  ///
  /// It must be fast: some types try one kind of value after the other, and each failure makes an error with a path.
  var codingPath: [any CodingKey] {
    var depth = 0
    var level = self
    while let parent = level.parent { (level, depth) = (parent, depth + 1) }
    var path: [any CodingKey] = []
    path.reserveCapacity(depth)
    appendPath(to: &path)
    return path
  }

  /// Appends the keys of the levels above and of this one; the limit of nesting bounds their number.
  private func appendPath(to path: inout [any CodingKey]) {
    parent?.appendPath(to: &path)
    if let pathKey { path.append(pathKey) }
  }

  /// Ends a call, and keeps the level in a pool for the next one unless the app still has a coder or a container of it.
  static func end(_ level: inout Self, pool: ObjectPool) {
    if level.detach(levelLimit), isKnownUniquelyReferenced(&level), level.endSession() {
      pool.give(level)
    } else {
      level.giveUp()
    }
  }

  /// Attaches the containers of this level and of the levels below, which are all free, for another call.
  func attach() {
    for container in containers { container.place.with { $0.attachedLevel = self } }
    below?.parent = self
    below?.attach()
  }

  /// Releases the references that containers and lower levels have to this level; false when the levels cannot be
  /// kept, because the app still holds a container or they are too deep.
  private func detach(_ levelLimit: Int) -> Bool {
    guard containers.allSatisfy({ $0.isFree }) else { return false }
    for container in containers { container.place.with { $0.attachedLevel = nil } }
    key = nil
    leaveCoder()
    if below == nil { return true }
    guard levelLimit > 0, below?.detach(levelLimit - 1) == true else { return false }
    below?.parent = nil
    return isKnownUniquelyReferenced(&below)
  }

  /// Releases the levels below and the containers, which refer to this level.
  private func giveUp() {
    below?.parent = self
    below?.giveUp()
    below = nil
    leaveCoder()
    leaveContainers()
  }
}

/// The keyed containers of one level of nesting, by the types of their keys.
///
/// Making a container takes longer than reading or writing a small record through it. So it is reused when the app has
/// released it, also by later calls.
class KeptContainers<Place: AnyObject> {
  private(set) final var containers: [KeptContainer<Place>] = []
  /// The container that was used last: values of one type often follow each other.
  private var last: KeptContainer<Place>?
  /// The containers by their types of keys; nil while there are fewer than two.
  private var ofKeys: TypeTable<KeptContainer<Place>>?

  /// A released container for keys of a type; nil when the level has no such container.
  @inline(__always)
  final func freeContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    if let last, last.keys == keys, last.isFree { return last }
    return findContainer(for: keys)
  }

  @inline(never)
  private final func findContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    guard let container = ofKeys?.knownRow(of: keys), container.isFree else { return nil }
    last = container
    return container
  }

  /// Keeps a container in the place of another one for its type of keys.
  final func keep(_ container: KeptContainer<Place>) {
    containers.removeAll { $0.keys == container.keys }
    containers.append(container)
    last = container
    if let ofKeys {
      ofKeys.set(container, for: container.keys)
    } else if containers.count > 1 {
      let table = TypeTable<KeptContainer<Place>>()
      for container in containers { table.set(container, for: container.keys) }
      ofKeys = table
    }
  }

  final func leaveContainers() { (containers, last, ofKeys) = ([], nil, nil) }
}

/// The place that a keyed container reads from or writes to.
protocol LevelPlace: AnyObject {
  associatedtype Level
  /// The level; nil while the container is free and waits for another call.
  var attachedLevel: Level? { get set }
}

/// A keyed container that is reused.
final class KeptContainer<Place: AnyObject> {
  /// The type of its keys.
  let keys: ObjectIdentifier
  let place: ConstantReference<Place>
  private let reference: ConstantReference<ReusableReference>
  /// True when the current value has opened it.
  var isOpened = false
  /// The container that the current value opened before this one.
  var openedBefore: KeptContainer?

  init<Container>(_ container: Container, keys: ObjectIdentifier, place: Place) {
    reference = ConstantReference(ReusableReference.keeping(container))
    self.keys = keys
    self.place = ConstantReference(place)
  }

  /// True when the level has the only reference to the container.
  @inline(__always)
  var isFree: Bool { reference.with { $0.isFree } }

  /// The container; `type` must be the type of the kept container.
  @inline(__always)
  func value<Container>(as type: Container.Type) -> Container {
    reference.with { $0.value(as: type) }
  }
}
