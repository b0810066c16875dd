/// The objects that were made so far, by their numbers.
struct DecodedObjects {
  /// One place for each number; used where the whole archive is in memory anyway.
  private var places: [(any ArchivableObject)?] = []
  /// The objects of an archive that is not in memory: few of the many that it may claim to have.
  private var found: [UInt32: any ArchivableObject] = [:]
  private let count: Int

  init(_ storage: ArchiveStorage) {
    count = storage.frame.objectCount
    if storage.index.source == nil { places = Array(repeating: nil, count: count + 1) }
  }

  /// Whether there is a place for the number.
  func contains(_ id: ArchiveObjectID) -> Bool { id.rawValue >= 1 && Int(id.rawValue) <= count }

  /// The object of a number that there is a place for.
  subscript(id: ArchiveObjectID) -> (any ArchivableObject)? {
    get { places.isEmpty ? found[id.rawValue] : places[Int(id.rawValue)] }
    set {
      if places.isEmpty {
        found[id.rawValue] = newValue
      } else {
        places[Int(id.rawValue)] = newValue
      }
    }
  }
}
