import KeepsakeFiles

/// A cache of places in a journal that searches have found; a later search begins between two of them.
///
/// Its size is bounded: when it is full, every other place is dropped.
final class JournalIndex: Sendable {
  /// A frame in which an entry begins, with the header of its segment.
  struct Mark: Hashable, Sendable {
    let entry: UInt64
    let file: UInt64
    let offset: UInt64
    let headerOffset: UInt64
    /// The index of the frame in its segment.
    let index: UInt64
    /// The number by which the frames identify their segment.
    let tag: UInt64
  }

  static let maximumCount = 4_096
  /// The marks, in the order of their entries.
  private let marks = Monitor<[Mark]>([])

  var count: Int { marks.withLock { $0.count } }

  /// The last mark at an entry or before it, and the first one after it.
  func around(_ entry: UInt64) -> (low: Mark?, high: Mark?) {
    marks.withLock { marks in
      let next = JournalIndex.position(after: entry, in: marks)
      return (next > 0 ? marks[next - 1] : nil, next < marks.count ? marks[next] : nil)
    }
  }

  func add(_ mark: Mark) {
    marks.withLock { marks in
      let next = JournalIndex.position(after: mark.entry, in: marks)
      if next > 0, marks[next - 1].entry == mark.entry {
        marks[next - 1] = mark
        return
      }
      marks.insert(mark, at: next)
      guard marks.count > JournalIndex.maximumCount else { return }
      marks = stride(from: 0, to: marks.count, by: 2).map { marks[$0] }
    }
  }

  /// Drops all marks, because one was found to be wrong.
  func clear() { marks.withLock { $0 = [] } }

  /// The index of the first mark after an entry.
  private static func position(after entry: UInt64, in marks: [Mark]) -> Int {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = low + (high - low) / 2
      if marks[middle].entry <= entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
