internal import CSodium
internal import Synchronization

/// The memory in which this module keeps keys, passphrases and identities.
///
/// It lies between inaccessible pages, is left out of core dumps and wiped when it is released. The system
/// is also asked to keep it out of the swap; whether it does, ``SealKey/isMemoryLocked`` tells.
enum SecretMemory {
  private static let isAnyUnlocked = Atomic(false)

  /// Whether all of it that was taken so far is locked; takes some itself, so that there is an answer.
  static var isLocked: Bool {
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

/// Guarded pages that many short secrets share, so that a key costs no system calls.
///
/// Each page is libsodium's: between inaccessible pages, locked where the system allows it, kept out
/// of core dumps. A cell is wiped when it is given back, and used again; pages are never returned.
enum SecretCells {
  /// Room for any key of this module; a longer secret gets pages of its own.
  static let cellLength = 64
  private static let cellsPerPage = 4_096 / cellLength

  /// Addresses of free cells; a pointer cannot be sent between threads by itself.
  private static let free = Monitor<[UInt]>([])

  /// A cell with `cellLength` zero bytes.
  static func take() throws(SealError) -> UnsafeMutableRawPointer {
    let address = free.withLock { free -> UInt? in
      if free.isEmpty {
        guard let page = unsafe SecretMemory.allocate(cellLength * cellsPerPage) else { return nil }
        unsafe sodium_memzero(page, cellLength * cellsPerPage)
        for cell in (0..<cellsPerPage).reversed() {
          free.append(UInt(bitPattern: unsafe page + cell * cellLength))
        }
      }
      return free.popLast()
    }
    guard let address, let cell = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      throw SealError(.insufficientMemory)
    }
    return unsafe cell
  }

  /// Wipes a cell and makes it free.
  static func giveBack(_ cell: UnsafeMutableRawPointer) {
    unsafe sodium_memzero(cell, cellLength)
    free.withLock { $0.append(UInt(bitPattern: cell)) }
  }
}
