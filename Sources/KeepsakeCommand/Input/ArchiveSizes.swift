import Keepsake

/// How the bytes of an archive are spread over types and keys.
struct ArchiveSizes: Hashable, Sendable {
  /// The objects of one type.
  struct TypeSizes: Hashable, Sendable {
    let typeName: String
    fileprivate(set) var objectCount = 0
    /// The bytes of their records.
    fileprivate(set) var byteCount = 0
    /// Their keys, sorted by name.
    fileprivate(set) var keys: [KeySizes] = []
  }

  /// The values under one key in the objects of one type.
  struct KeySizes: Hashable, Sendable {
    /// The key after its scopes, such as `Base.title`, with control characters escaped.
    let name: String
    /// The number of objects that have the key.
    fileprivate(set) var valueCount = 0
    /// The number of bytes of the values, with all nested values.
    fileprivate(set) var byteCount = 0
  }

  /// The size of the archive in bytes, with its tables and directories.
  let byteCount: Int
  /// The types, the one with the most bytes first.
  let types: [TypeSizes]
}

extension Archive {
  /// Adds up the bytes of the objects and of their values, by type and key, without reading payloads.
  func sizes() throws(ArchiveError) -> ArchiveSizes {
    var types: [ArchiveKey: TypeTally] = [:]
    for number in 0..<objectCount {
      let object = try object(ArchiveObjectID(UInt32(number + 1)))
      types[ArchiveKey(object.typeName), default: TypeTally()].count(object)
    }
    let sizes = types.map { $0.value.sizes(typeName: $0.key.name) }
    return ArchiveSizes(
      byteCount: byteCount,
      types: sizes.sorted { left, right in
        left.byteCount == right.byteCount
          ? left.typeName.bytesPrecede(right.typeName) : left.byteCount > right.byteCount
      })
  }
}

private struct TypeTally {
  private var objectCount = 0
  private var byteCount = 0
  private var keys: [ArchiveSizes.KeySizes] = []
  /// The index of each key in ``keys``, by the number of the key with its scopes.
  private var places: [UInt32: Int] = [:]
  /// The indexes of the previous object, which usually has the same keys.
  private var predicted: [(key: UInt32, place: Int)] = []

  mutating func count(_ object: borrowing ObjectDecoder) {
    objectCount += 1
    byteCount += object.byteCount
    for slot in 0..<object.shape.slots.count where !object.fields.isAbsent(object.shape.slots[slot])
    {
      let place = place(ofSlot: slot, in: object)
      keys[place].valueCount += 1
      keys[place].byteCount += object.value(ofSlot: slot).byteCount
    }
  }

  private mutating func place(ofSlot slot: Int, in object: borrowing ObjectDecoder) -> Int {
    let key = object.shape.slots[slot].key
    if slot < predicted.count, predicted[slot].key == key { return predicted[slot].place }
    let place = places[key] ?? keys.count
    if place == keys.count {
      places[key] = place
      keys.append(.init(name: object.name(ofSlot: slot)))
    }
    predicted.removeLast(max(0, predicted.count - slot))
    if predicted.count == slot { predicted.append((key, place)) }
    return place
  }

  func sizes(typeName: String) -> ArchiveSizes.TypeSizes {
    var sizes = ArchiveSizes.TypeSizes(typeName: typeName)
    sizes.objectCount = objectCount
    sizes.byteCount = byteCount
    sizes.keys = keys.sorted { $0.name.bytesPrecede($1.name) }
    return sizes
  }
}
