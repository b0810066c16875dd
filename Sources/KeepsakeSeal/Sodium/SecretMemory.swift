import KeepsakeFiles
internal import SodiumLibrary
internal import Synchronization

/// The memory of keys, passphrases and identities.
///
/// It is placed between inaccessible pages, excluded from core dumps, and wiped when it is released. The
/// system is also asked to keep it out of the swap; ``SealKey/isMemoryLocked`` tells whether it does.
enum SecretMemory {
  private static let isAnyUnlocked = Atomic(false)

  /// True when all of this memory so far is locked; allocates some itself, so that there is an answer.
  static var isLocked: Bool {
    guard let secret = try? SecretBytes(count: 1, writing: { _ in }) else { return false }
    defer { withExtendedLifetime(secret) {} }
    return !isAnyUnlocked.load(ordering: .relaxed)
  }

  /// Allocates guarded memory of libsodium; nil when none is left.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = unsafe sodium_malloc(count) else { return nil }
    // libsodium has tried to lock it but does not report the result; a second lock does.
    if unsafe sodium_mlock(memory, count) != 0 { isAnyUnlocked.store(true, ordering: .relaxed) }
    return unsafe memory
  }
}

/// Guarded pages that many short secrets share, so that a key needs no system calls.
///
/// Each page belongs to libsodium: it is placed between inaccessible pages, locked if the system allows it,
/// and excluded from core dumps. A released cell is wiped and reused; pages are never released.
enum SecretCells {
  /// The size that holds any key of this module; a longer secret gets pages of its own.
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
  static func wipeAndFree(_ cell: UnsafeMutableRawPointer) {
    unsafe sodium_memzero(cell, cellLength)
    free.withLock { $0.append(UInt(bitPattern: cell)) }
  }
}
