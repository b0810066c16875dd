import KeepsakeArchive

/// The keyed containers of one level of nesting, by the types of their keys.
///
/// To make one takes longer than to read or write a small record through it, so each is used again when its
/// user has let go of it, also by the calls after this one.
class KeptContainers<Place: AnyObject> {
  private typealias Places = FixedStorage<KeptContainer<Place>?>

  /// A power of two; values at one level mostly have far fewer types of keys.
  private static var placeCount: Int { 32 }
  /// So many places there are for a type, the first of which follows from its address.
  private static var placesOfType: Int { 4 }

  private var places: Places?
  /// All of them.
  private(set) final var containers: [KeptContainer<Place>] = []
  /// The one asked for last: values of one type often follow each other.
  private var last: KeptContainer<Place>?

  /// A container of keys of a type that nobody has.
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

  /// Keeps a container, in the place of another one if there is none left.
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

  /// Lets go of a container.
  final func leave(_ container: KeptContainer<Place>) {
    if last === container { last = nil }
    containers.removeAll { $0 === container }
    guard let places else { return }
    for number in 0..<Self.placesOfType {
      let place = Self.place(number, of: container.keys)
      if places[place] === container { places[place] = nil }
    }
  }

  /// Lets go of all.
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

/// A keyed container that is used again.
final class KeptContainer<Place: AnyObject> {
  /// The type of its keys.
  let keys: ObjectIdentifier
  /// What it reads from or writes to.
  let place: ConstantReference<Place>
  private let reference: ConstantReference<ReusableReference>
  /// Whether the present value asked for it, and the one that it asked for before.
  var isOpened = false
  var openedBefore: KeptContainer?

  init<Container>(_ container: Container, keys: ObjectIdentifier, place: Place) {
    reference = ConstantReference(ReusableReference.keeping(container))
    self.keys = keys
    self.place = ConstantReference(place)
  }

  /// Whether nobody else has the container.
  @inline(__always)
  var isFree: Bool { reference.with { $0.isFree } }

  /// The container, whose type has to be that of the one kept.
  @inline(__always)
  func value<Container>(as type: Container.Type) -> Container {
    reference.with { $0.value(as: type) }
  }
}
