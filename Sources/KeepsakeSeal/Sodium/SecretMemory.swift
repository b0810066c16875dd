internal import CSodium
internal import Synchronization

/// The memory in which this module keeps keys, passphrases and identities.
///
/// It lies between inaccessible pages, is left out of core dumps and wiped when it is released. The system
/// is also asked to keep it out of the swap; whether it does, ``isLocked`` tells.
public enum SecretMemory {
  private static let isAnyUnlocked = Atomic(false)

  /// Whether all memory that was taken for secrets so far is locked, so that it never reaches the swap.
  ///
  /// It is not where the process may lock too little memory (`ulimit -l`), or none at all. Secrets are kept
  /// nevertheless: a program that must not have them swapped asks before it reads a key, and again
  /// afterwards. It holds for raw keys, passphrases and identities; see SECURITY.md for what it does not
  /// hold for.
  ///
  /// - Complexity: The first call of a process may take a page of memory.
  public static var isLocked: Bool {
    guard let secret = try? SecretBytes(count: 1, writing: { _ in }) else { return false }
    defer { withExtendedLifetime(secret) {} }
    return !isAnyUnlocked.load(ordering: .relaxed)
  }

  /// Guarded memory of libsodium's; nil when there is none left.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = unsafe sodium_malloc(count) else { return nil }
    // It has been locked, if that was possible, but libsodium does not say so: locking it again does.
    if unsafe sodium_mlock(memory, count) != 0 { isAnyUnlocked.store(true, ordering: .relaxed) }
    return unsafe memory
  }
}
