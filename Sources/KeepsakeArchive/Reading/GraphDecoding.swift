/// The objects of a graph that is being read: each is made once, as a shell, and filled later.
@usableFromInline
package final class GraphDecoding {
  private let storage: ArchiveStorage
  private let registry: TypeRegistry
  private let objects: DecodedObjects
  private let state: Cell<State>

  private struct State {
    /// The registered types, by their numbers in the archive; each is looked up once.
    var types: [(any ArchiveObject.Type)?]
    var waiting = WaitingShells()
    var finder: ObjectFinder
    /// References that are assigned when their objects exist, in the order in which they were read; those before
    /// ``nextDeferred`` have been assigned.
    var deferred: [Deferred] = []
    var nextDeferred = 0
    var isAbandoned = false
    var isMakingShell = false
    /// The number of bytes of all records read so far.
    ///
    /// Records of a well-formed archive do not overlap, so their sum never exceeds the size of the archive. A larger
    /// sum shows that the directory claims some bytes twice.
    var recordBytes = 0
  }

  private struct Deferred {
    var id: ArchiveObjectID
    var assign: ((any ArchiveObject)?) throws(ArchiveError) -> Void
  }

  /// True when the reading has failed; every reference then reads as nil.
  var isAbandoned: Bool { state.value.isAbandoned }

  /// True while a shell is being made; its initialiser may not read other objects.
  var isMakingShell: Bool { state.value.isMakingShell }

  init(_ storage: ArchiveStorage, registry: TypeRegistry) {
    self.storage = storage
    self.registry = registry
    objects = DecodedObjects(storage)
    state = Cell(
      State(
        types: Array(repeating: nil, count: storage.tables.types.count),
        finder: ObjectFinder(storage)))
  }

  /// The object of an id: the one that exists, or a new shell that waits to be filled.
  ///
  /// Making a shell cannot make another one, since its decoder refuses to read objects (``isMakingShell``).
  func object(_ id: ArchiveObjectID) throws -> any ArchiveObject {
    guard objects.contains(id) else {
      throw ArchiveError(.noSuchObject, "the archive has no object \(id)")
    }
    if let known = objects[id] { return known }
    let (part, record) = try state.value.finder.openedObject(id.rawValue)
    state.value.recordBytes += record.end - record.start
    guard state.value.recordBytes <= storage.frame.byteCount else {
      throw ArchiveError.damaged("records overlap", at: record.start).inObject(id)
    }
    let type = try type(of: record, id)
    state.value.isMakingShell = true
    defer { state.value.isMakingShell = false }
    let object = try ObjectDecoder.lend(record, id, in: part, graph: self) {
      try type.init(from: $0)
    }
    objects[id] = object
    state.value.waiting.append(id, part === storage ? record : nil)
    return object
  }

  private func type(
    of record: OpenedRecord, _ id: ArchiveObjectID
  ) throws(ArchiveError) -> any ArchiveObject.Type {
    let number = Int(record.shape.row.type)
    if let known = state.value.types[number] { return known }
    let name = storage.tables.types[number].name
    guard let type = registry.type(named: name) else {
      throw ArchiveError(
        .typeNotRegistered, "the type \"\(name)\" is not registered", offset: record.start
      ).inObject(id)
    }
    state.value.types[number] = type
    return type
  }

  /// Reads an object with all objects that it leads to; when that fails, the objects that were made release each other.
  func root<T: ArchiveObject>(_ type: T.Type, _ id: ArchiveObjectID) throws -> T {
    do {
      let root = try GraphDecoding.require(type, object(id), id)
      try fill()
      return root
    } catch {
      abandon()
      throw error
    }
  }

  /// Makes the objects that were made so far release each other.
  ///
  /// No caller gets these objects, and a reference cycle would leak them. Only the objects themselves know their
  /// references. So each object is filled once more, and every reference reads as nil.
  private func abandon() {
    state.value.isAbandoned = true
    let assigned = state.value.deferred.prefix(state.value.nextDeferred)
    state.value.deferred = []
    for reference in assigned { try? reference.assign(nil) }
    for id in objects.ids {
      guard let (part, record) = try? storage.openedObject(id.rawValue) else { continue }
      try? fill(id, record, in: part)
    }
  }

  private func fill() throws {
    while let (id, opened) = state.value.waiting.popFirst() {
      if let opened {
        try fill(id, opened, in: storage)
      } else {
        let (part, record) = try storage.openedObject(id.rawValue)
        try fill(id, record, in: part)
      }
      try assignDeferred()
    }
  }

  private func fill(
    _ id: ArchiveObjectID, _ record: OpenedRecord, in part: ArchiveStorage
  ) throws {
    guard let object = objects[id] else { return }
    try ObjectDecoder.lend(record, id, in: part, graph: self) { try object.decode(from: $0) }
  }

  /// Assigns the deferred references; this makes further shells, which wait to be filled.
  private func assignDeferred() throws {
    while state.value.nextDeferred < state.value.deferred.count {
      let reference = state.value.deferred[state.value.nextDeferred]
      let object = try object(reference.id)
      state.value.nextDeferred += 1
      try reference.assign(object)
    }
  }

  /// Keeps a reference to be assigned when its object exists.
  func assignLater(
    _ id: ArchiveObjectID,
    _ assign: @escaping ((any ArchiveObject)?) throws(ArchiveError) -> Void
  ) {
    state.value.deferred.append(Deferred(id: id, assign: assign))
  }

  /// Checks that an object has the type that a reference to it requires; called for every reference, also to objects
  /// that exist already.
  static func require<T: ArchiveObject>(
    _ type: T.Type, _ object: any ArchiveObject, _ id: ArchiveObjectID
  ) throws(ArchiveError) -> T {
    guard let typed = object as? T else { throw wrongType(type, object, id) }
    return typed
  }

  static func wrongType<T: ArchiveObject>(
    _ type: T.Type, _ object: any ArchiveObject, _ id: ArchiveObjectID
  ) -> ArchiveError {
    ArchiveError(
      .typeNotAllowed,
      "an object of type \"\(Swift.type(of: object).archiveTypeName)\" is referred to where "
        + "\(T.self) was asked for"
    ).inObject(id)
  }
}

/// The objects that were made so far, by their numbers.
final class DecodedObjects {
  /// One place for each object number; nil when not all objects are in memory.
  private let places: FixedStorage<(any ArchiveObject)?>?
  /// The objects by number, when not all are in memory; the archive may claim many more objects than are read.
  private var found: [UInt32: any ArchiveObject] = [:]
  private let count: Int

  init(_ storage: ArchiveStorage) {
    count = storage.frame.objectCount
    places =
      storage.foundObjectCount == count ? FixedStorage(repeating: nil, count: count + 1) : nil
  }

  func contains(_ id: ArchiveObjectID) -> Bool { id.rawValue >= 1 && Int(id.rawValue) <= count }

  /// The object that was made for a number which the archive has; nil before it is made.
  subscript(id: ArchiveObjectID) -> (any ArchiveObject)? {
    get { places.map { $0[Int(id.rawValue)] } ?? found[id.rawValue] }
    set {
      if let places {
        places[Int(id.rawValue)] = newValue
      } else {
        found[id.rawValue] = newValue
      }
    }
  }

  /// The numbers of all objects that were made, in any order.
  var ids: [ArchiveObjectID] {
    guard let places else { return found.keys.map { ArchiveObjectID($0) } }
    return (0...count).filter { places[$0] != nil }.map { ArchiveObjectID(UInt32($0)) }
  }
}

/// The shells that wait to be filled, in the order in which they were made.
struct WaitingShells {
  /// One shell, and its record if that stays in memory.
  typealias Shell = (id: ArchiveObjectID, record: OpenedRecord?)

  private var shells: [Shell] = []
  private var next = 0

  mutating func append(_ id: ArchiveObjectID, _ record: OpenedRecord?) {
    // Shells that were taken make room for new ones, so a long list of nodes needs little memory.
    if next > 256, next > shells.count / 2 {
      shells.removeFirst(next)
      next = 0
    }
    shells.append((id, record))
  }

  mutating func popFirst() -> Shell? {
    if next == shells.count { return nil }
    defer { next += 1 }
    return shells[next]
  }
}
