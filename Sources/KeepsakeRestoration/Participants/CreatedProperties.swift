/// The saved properties that were made since a restore called a factory.
///
/// A property does not know its object. But a class makes the same properties in the same order for each object, so
/// this list leads from an object to its properties without reflection.
@MainActor
enum CreatedProperties {
  /// Empty while no factory runs.
  private static var properties: [SavedProperty] = []
  /// True while a factory runs.
  private static var isFactoryRunning = false

  /// Starts to note properties.
  static func begin() {
    isFactoryRunning = true
  }

  /// Stops, and forgets the noted properties.
  static func end() {
    isFactoryRunning = false
    properties.removeAll(keepingCapacity: true)
  }

  static func note(_ property: SavedProperty) {
    if isFactoryRunning { properties.append(property) }
  }

  /// Calls a closure with the properties, in the order in which they were made.
  ///
  /// They are moved out, because each access to a static variable is checked. Their memory is moved back.
  static func withAll(_ body: ([SavedProperty]) -> Void) {
    var created: [SavedProperty] = []
    swap(&created, &properties)
    body(created)
    created.removeAll(keepingCapacity: true)
    swap(&created, &properties)
  }
}

/// The properties that a factory makes for an object of one class: its own, and those of the objects inside it.
struct CreationOrder {
  /// The declarations of all properties, in the order in which these are made.
  private let declarations: [Declaration]
  /// The index of each own property among ``declarations``, in the order of the object's layout.
  private let indices: [Int]

  /// Learns the order from one object; nil when the object was not made by the factory.
  @MainActor
  init?(of own: [SavedProperty], in created: [SavedProperty]) {
    var indices: [Int] = []
    for property in own {
      guard let index = created.firstIndex(where: { $0 === property }) else { return nil }
      indices.append(index)
    }
    self.indices = indices
    declarations = created.map(\.declaration)
  }

  /// The properties of another object of the class, in the order of its layout; nil when it is uncertain to which
  /// object one of them belongs.
  ///
  /// The engine has not seen the object before. So if exactly one property of a declaration is unseen, it belongs to
  /// the object. When the factory returns an older object that it has kept, two are unseen: the property of that object
  /// and a new one.
  @MainActor
  func own(in created: [SavedProperty]) -> [SavedProperty]? {
    guard created.count == declarations.count else { return nil }
    for index in declarations.indices where created[index].declaration !== declarations[index] {
      return nil
    }
    var own: [SavedProperty] = []
    own.reserveCapacity(indices.count)
    for index in indices {
      guard declarations[index].hasOneUnfound else { return nil }
      own.append(created[index])
    }
    return own
  }
}
