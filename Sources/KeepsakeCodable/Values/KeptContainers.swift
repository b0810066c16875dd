import KeepsakeArchive

/// The keyed containers of one level of nesting, by the types of their keys.
///
/// It is a pool, because making a container takes longer than reading or writing a small record through it. A
/// container is reused when the app has released it, also by later calls.
class KeptContainers<Place: AnyObject> {
  private typealias Places = FixedStorage<KeptContainer<Place>?>

  /// The number of places, a power of two; the values at one level usually have far fewer types of keys.
  private static var placeCount: Int { 32 }
  /// The number of places for a type; the first one follows from its address.
  private static var placesOfType: Int { 4 }

  private var places: Places?
  /// All containers of the pool.
  private(set) final var containers: [KeptContainer<Place>] = []
  /// The container that was used last: values of one type often follow each other.
  private var last: KeptContainer<Place>?

  /// A released container for keys of a type; nil when the pool has no such container.
  @inline(__always)
  final func freeContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    if let last, last.keys == keys, last.isFree { return last }
    return findContainer(for: keys)
  }

  @inline(never)
  private final func findContainer(for keys: ObjectIdentifier) -> KeptContainer<Place>? {
    guard let places else { return nil }
    for number in 0..<Self.placesOfType {
      if let container = places[Self.place(number, of: keys)], container.keys == keys,
        container.isFree
      {
        last = container
        return container
      }
    }
    return nil
  }

  /// Keeps a container; when all places of its type are taken, it replaces another one.
  final func keep(_ container: KeptContainer<Place>) {
    let places = places ?? Places(repeating: nil, count: Self.placeCount)
    self.places = places
    let taken = (0..<Self.placesOfType).map { Self.place($0, of: container.keys) }
    let place = taken.first { places[$0] == nil } ?? taken[0]
    if let other = places[place] { leave(other) }
    places[place] = container
    containers.append(container)
    last = container
  }

  final func leave(_ container: KeptContainer<Place>) {
    if last === container { last = nil }
    containers.removeAll { $0 === container }
    guard let places else { return }
    for number in 0..<Self.placesOfType {
      let place = Self.place(number, of: container.keys)
      if places[place] === container { places[place] = nil }
    }
  }

  final func leaveContainers() {
    places = nil
    last = nil
    containers = []
  }

  private static func place(_ number: Int, of keys: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: keys)
    return (Int(truncatingIfNeeded: address >> 4 ^ address >> 9) &+ number) & (placeCount - 1)
  }
}

/// A keyed container that is reused.
final class KeptContainer<Place: AnyObject> {
  /// The type of its keys.
  let keys: ObjectIdentifier
  /// The place that it reads from or writes to.
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

  /// True when the pool has the only reference to the container.
  @inline(__always)
  var isFree: Bool { reference.with { $0.isFree } }

  /// The container; `type` must be the type of the kept container.
  @inline(__always)
  func value<Container>(as type: Container.Type) -> Container {
    reference.with { $0.value(as: type) }
  }
}
