/// The objects of a graph that is being written: their ids, and the list of objects still to be written.
///
/// Objects are compared by identity, never by equality. All objects stay alive until the graph ends, since a freed
/// address could be reused, and two objects would become one.
struct GraphEncoding {
  private let firstID: Int
  /// The number of conditional references in the graphs before this one.
  private let conditionalStart: Int
  private var indexes = IdentityTable()
  private var objects: [any ArchiveObject] = []
  private var conditionalIndexes = IdentityTable()
  /// The objects that conditional references lead to, kept alive for the same reason.
  private var conditionals: [any ArchiveObject] = []

  init(firstID: ArchiveObjectID, conditionalStart: Int) {
    self.firstID = Int(firstID.rawValue)
    self.conditionalStart = conditionalStart
  }

  /// The id of an object, given in the order of first references.
  mutating func id(of object: any ArchiveObject) -> ArchiveObjectID {
    let index = indexes.index(of: object)
    if index == objects.count { objects.append(object) }
    return id(index)
  }

  /// The id of the object at an index.
  ///
  /// If there are more objects than ids, the rest get the last id, which is refused when it is written.
  private func id(_ index: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(clamping: firstID + index))
  }

  /// The number of an object among those that conditional references lead to.
  mutating func conditionalNumber(of object: any ArchiveObject) -> UInt32 {
    let index = conditionalIndexes.index(of: object)
    if index == conditionals.count { conditionals.append(object) }
    return UInt32(clamping: conditionalStart + index + 1)
  }

  /// The object of an index, or nil when all objects have been seen.
  func object(at index: Int) -> (any ArchiveObject)? {
    index < objects.count ? objects[index] : nil
  }

  /// The ids of the objects that conditional references lead to, nil where none was stored.
  var conditionalIDs: [ArchiveObjectID?] {
    conditionals.map { object in indexes.known(object).map { id($0) } }
  }
}

/// Numbers objects from 0 in the order in which they are first seen, by their identity.
///
/// The owner of the table keeps the objects alive, since a freed address would be used again. Addresses are not hostile
/// input, so a few bits of their product with a constant spread them well enough. A dictionary would hash each with a
/// seed, which costs more than the values of most objects.
struct IdentityTable {
  private struct Place {
    /// The address, or ``free``.
    var address: UInt
    var index: Int

    /// The address of a place without an object.
    static var free: UInt { 0 }
  }

  private var places = [Place](repeating: Place(address: Place.free, index: 0), count: 64)
  private var count = 0

  /// The index of an object; a new object gets the next index.
  mutating func index(of object: AnyObject) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    let place = place(of: address)
    if places[place].address != Place.free { return places[place].index }
    places[place] = Place(address: address, index: count)
    count += 1
    // At least a quarter of the places stays free, so that runs of taken places are short.
    if count > places.count / 4 * 3 { grow() }
    return count - 1
  }

  /// The index of an object; nil when it is not in the table.
  func known(_ object: AnyObject) -> Int? {
    let place = places[place(of: UInt(bitPattern: ObjectIdentifier(object)))]
    return place.address == Place.free ? nil : place.index
  }

  /// The place of an address, or the free place where it will be stored.
  private func place(of address: UInt) -> Int {
    let mask = places.count &- 1
    // The upper bits of the product depend on all bits of the address.
    let product = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
    var place = Int(truncatingIfNeeded: product &>> 32) & mask
    while places[place].address != Place.free, places[place].address != address {
      place = (place &+ 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let before = places
    // A small table grows fast, so that few of its objects are moved more than once.
    let factor = before.count < 1 << 14 ? 4 : 2
    places = [Place](repeating: Place(address: Place.free, index: 0), count: factor * before.count)
    for taken in before where taken.address != Place.free {
      places[place(of: taken.address)] = taken
    }
  }
}
