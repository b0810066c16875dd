internal import Synchronization

/// The keys that Argon2id derived from one passphrase, in guarded memory for as long as the passphrase lives.
final class DerivedKeys: Sendable {
  private struct Entry {
    let salt: [UInt8]
    let cost: PassphraseCost
    let key: SecretBytes
  }

  /// The maximum number of cached keys: those of a file's slots, and one for the next file.
  private static let limit = SealFormat.maximumPassphraseSlotCount + 1

  /// The keys; the one that was used last is at the end.
  private let entries = Mutex<[Entry]>([])

  /// The key for a salt and a cost; nil when it was not derived yet.
  func key(salt: [UInt8], cost: PassphraseCost) -> SecretBytes? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.salt == salt && $0.cost == cost }) else {
        return nil
      }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.key
    }
  }

  /// Caches a key; a full cache evicts the least recently used one.
  func keep(_ key: SecretBytes, salt: [UInt8], cost: PassphraseCost) {
    entries.withLock { entries in
      entries.removeAll { $0.salt == salt && $0.cost == cost }
      if entries.count >= Self.limit { entries.removeFirst() }
      entries.append(Entry(salt: salt, cost: cost, key: key))
    }
  }

  /// The salt of the key of this cost that was used last; nil when there is no such key.
  func salt(cost: PassphraseCost) -> [UInt8]? {
    entries.withLock { entries in entries.last { $0.cost == cost }?.salt }
  }
}
