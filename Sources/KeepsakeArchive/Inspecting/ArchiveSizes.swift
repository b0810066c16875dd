/// How the bytes of an archive are spread over types and keys.
public struct ArchiveSizes: Hashable, Sendable {
  /// The objects of one type.
  public struct TypeSizes: Hashable, Sendable {
    /// The name of the type.
    public let typeName: String
    /// The number of its objects.
    public internal(set) var objectCount = 0
    /// The bytes of their records.
    public internal(set) var byteCount = 0
    /// Their keys, sorted by name.
    public internal(set) var keys: [KeySizes] = []
  }

  /// The values under one key in the objects of one type.
  public struct KeySizes: Hashable, Sendable {
    /// The key behind its scopes, such as `Base.title`.
    public let name: String
    /// The number of objects that have the key.
    public internal(set) var valueCount = 0
    /// The bytes of the values, with all that is nested in them.
    public internal(set) var byteCount = 0
  }

  /// The size of the archive in bytes, with its tables and directories.
  public let byteCount: Int
  /// The types, the one with the most bytes first.
  public let types: [TypeSizes]
}

extension Archive {
  /// Adds up what the objects and their values take, by type and key.
  ///
  /// - Returns: The sizes.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
  /// - Complexity: In proportion to the number of values; their payloads are not read.
  public func sizes() throws(ArchiveError) -> ArchiveSizes {
    var types: [ArchiveKey: TypeTally] = [:]
    for number in 0..<objectCount {
      let object = try object(ArchiveObjectID(UInt32(number + 1)))
      do throws(ArchiveError) {
        try types[ArchiveKey(object.typeName), default: TypeTally()].count(object)
      } catch {
        throw error.inObject(object.objectID)
      }
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
  /// By slot, since a slot has one key; several shapes may have slots of the same key.
  private var slots: [Int: ArchiveSizes.KeySizes] = [:]

  mutating func count(_ object: borrowing ObjectDecoder) throws(ArchiveError) {
    objectCount += 1
    byteCount += object.byteCount
    for slot in object.slots {
      let size = try object.value(ofSlot: slot).byteCount
      if slots[slot] == nil { slots[slot] = .init(name: object.name(ofSlot: slot)) }
      slots[slot]?.valueCount += 1
      slots[slot]?.byteCount += size
    }
  }

  func sizes(typeName: String) -> ArchiveSizes.TypeSizes {
    var keys: [ArchiveKey: ArchiveSizes.KeySizes] = [:]
    for slot in slots.values {
      keys[ArchiveKey(slot.name), default: .init(name: slot.name)].valueCount += slot.valueCount
      keys[ArchiveKey(slot.name), default: .init(name: slot.name)].byteCount += slot.byteCount
    }
    var sizes = ArchiveSizes.TypeSizes(typeName: typeName)
    sizes.objectCount = objectCount
    sizes.byteCount = byteCount
    sizes.keys = keys.values.sorted { $0.name.bytesPrecede($1.name) }
    return sizes
  }
}
