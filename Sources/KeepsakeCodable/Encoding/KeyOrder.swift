import KeepsakeArchive

/// In which order the keys of a container are written: by their bytes, each once.
///
/// A dictionary hands its entries over in the order of its hash table, which differs from run to
/// run; the archive must not. Containers of one type mostly have the keys of the one before, so the
/// last few orders are kept.
struct KeyOrder {
  private struct Known {
    var keys: [ArchiveKey]
    var order: [Int]
  }

  private var known: [Known] = []
  private var next = 0
  private static let capacity = 8

  mutating func order(of entries: [NodeEncoder.Entry]) -> [Int] {
    for entry in known where Self.areSame(entry.keys, entries) { return entry.order }
    let keys = entries.map(\.key)
    let entry = Known(keys: keys, order: Self.sorted(keys))
    if known.count < Self.capacity {
      known.append(entry)
    } else {
      known[next] = entry
      next = (next + 1) % Self.capacity
    }
    return entry.order
  }

  /// Whether the same keys come in the same order, as far as can be told by the bits of their names.
  private static func areSame(_ keys: [ArchiveKey], _ entries: [NodeEncoder.Entry]) -> Bool {
    if keys.count != entries.count { return false }
    for index in keys.indices where !keys[index].isIdentical(to: entries[index].key) {
      return false
    }
    return true
  }

  /// The indexes in the order of the keys' bytes; of equal keys only the last.
  private static func sorted(_ keys: [ArchiveKey]) -> [Int] {
    let order = keys.indices.sorted { left, right in
      keys[left] == keys[right]
        ? left < right
        : keys[left].name.utf8.lexicographicallyPrecedes(keys[right].name.utf8)
    }
    return order.indices.compactMap { index in
      index + 1 < order.count && keys[order[index]] == keys[order[index + 1]] ? nil : order[index]
    }
  }
}
