/// The objects that were made so far, by their numbers.
final class DecodedObjects {
  /// One place for each number; used where the whole archive is in memory anyway.
  private let places: FixedStorage<(any ArchivableObject)?>?
  /// The objects of an archive that is not in memory: few of the many that it may claim to have.
  private var found: [UInt32: any ArchivableObject] = [:]
  private let count: Int

  init(_ storage: ArchiveStorage) {
    count = storage.frame.objectCount
    places =
      storage.index.source == nil ? FixedStorage(repeating: nil, count: count + 1) : nil
  }

  /// Whether there is a place for the number.
  func contains(_ id: ArchiveObjectID) -> Bool { id.rawValue >= 1 && Int(id.rawValue) <= count }

  /// The object of a number that there is a place for.
  subscript(id: ArchiveObjectID) -> (any ArchivableObject)? {
    get { places.map { $0[Int(id.rawValue)] } ?? found[id.rawValue] }
    set {
      if let places {
        places[Int(id.rawValue)] = newValue
      } else {
        found[id.rawValue] = newValue
      }
    }
  }

  /// The numbers of all objects that were made, in no certain order.
  var ids: [ArchiveObjectID] {
    guard let places else { return found.keys.map { ArchiveObjectID($0) } }
    return (0...count).filter { places[$0] != nil }.map { ArchiveObjectID(UInt32($0)) }
  }
}
