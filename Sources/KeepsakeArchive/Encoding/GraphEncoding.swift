/// The objects of a graph that is being written: their ids, and the list of those to come.
///
/// Identity is that of the instance, never equality. All objects are kept alive to the graph's end,
/// since a freed address would be used again and two objects would become one.
struct GraphEncoding {
  /// The id of the first object.
  private let firstID: Int
  /// The number of conditional references in the graphs before this one.
  private let conditionalStart: Int
  private var indexes = IdentityTable()
  private var objects: [any ArchivableObject] = []
  private var conditionalIndexes = IdentityTable()
  /// The objects that conditional references lead to, kept alive for the same reason.
  private var conditionals: [any ArchivableObject] = []

  init(firstID: ArchiveObjectID, conditionalStart: Int) {
    self.firstID = Int(firstID.rawValue)
    self.conditionalStart = conditionalStart
  }

  /// The id of an object, given in the order of first references.
  mutating func id(of object: any ArchivableObject) -> ArchiveObjectID {
    let index = indexes.index(of: object)
    if index == objects.count { objects.append(object) }
    return id(index)
  }

  /// The id of an object by its index; should there be more objects than ids, the last id is refused when
  /// it is written.
  private func id(_ index: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(clamping: firstID + index))
  }

  /// The number of an object among those that conditional references lead to.
  mutating func conditionalNumber(of object: any ArchivableObject) -> UInt32 {
    let index = conditionalIndexes.index(of: object)
    if index == conditionals.count { conditionals.append(object) }
    return UInt32(clamping: conditionalStart + index + 1)
  }

  /// The object of an index, or nil when all objects have been seen.
  func object(at index: Int) -> (any ArchivableObject)? {
    index < objects.count ? objects[index] : nil
  }

  /// The ids of the objects that conditional references lead to, nil where none was stored.
  var conditionalIDs: [ArchiveObjectID?] {
    conditionals.map { object in indexes.known(object).map { id($0) } }
  }
}
