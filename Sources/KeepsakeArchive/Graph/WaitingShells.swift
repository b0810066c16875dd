/// The shells that wait to be filled, in the order in which they were made.
struct WaitingShells {
  /// One shell, with its record where that stays in memory.
  typealias Shell = (id: ArchiveObjectID, record: OpenedRecord?)

  private var shells: [Shell] = []
  private var next = 0

  mutating func append(_ id: ArchiveObjectID, _ record: OpenedRecord?) {
    // What was taken makes room for what comes, so a list takes no more of it than its first nodes.
    if next > 256, next > shells.count / 2 {
      shells.removeFirst(next)
      next = 0
    }
    shells.append((id, record))
  }

  mutating func popFirst() -> Shell? {
    if next == shells.count { return nil }
    defer { next += 1 }
    return shells[next]
  }
}
