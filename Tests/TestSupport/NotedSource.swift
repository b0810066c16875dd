import KeepsakeArchive
import Synchronization

/// A positioned source that records the ranges of its reads.
package final class NotedSource: ArchivePositionedSource {
  package let bytes: [UInt8]
  package let blockByteCount: Int
  private let reads = Mutex<[Range<Int>]>([])
  /// Makes the result of a call from its number and the bytes.
  private let answer: @Sendable (Int, [UInt8]) throws -> [UInt8]

  package init(
    _ bytes: [UInt8], blockByteCount: Int = 256,
    answer: @escaping @Sendable (Int, [UInt8]) throws -> [UInt8] = { $1 }
  ) {
    self.bytes = bytes
    self.blockByteCount = blockByteCount
    self.answer = answer
  }

  package var byteCount: Int { bytes.count }

  /// The ranges that were read since the last call.
  package func takeReads() -> [Range<Int>] {
    reads.withLock { reads in
      defer { reads = [] }
      return reads
    }
  }

  package func read(_ range: Range<Int>) throws -> [UInt8] {
    let call = reads.withLock { reads in
      reads.append(range)
      return reads.count
    }
    return try answer(call, Array(bytes[range]))
  }
}
