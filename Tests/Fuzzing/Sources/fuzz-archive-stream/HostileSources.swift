import KeepsakeArchive
import Synchronization

/// The error of a source; the reader of a stream gets exactly this error.
struct SourceFailure: Error, Equatable {
  var call: Int
}

/// A stream that delivers its bytes in awkward pieces.
final class HostileStream: ArchiveSource {
  private let bytes: [UInt8]
  private let plan: ReadingPlan
  private var offset = 0
  private var calls = 0
  private var state: UInt64
  private var hasEnded = false

  init(_ bytes: [UInt8], _ plan: ReadingPlan) {
    self.bytes = bytes
    self.plan = plan
    state = UInt64(plan.pieceSeed)
  }

  func read(into output: inout OutputSpan<UInt8>) throws {
    precondition(!hasEnded, "read after the end, or after a failure")
    precondition(output.freeCapacity > 0)
    // Memory grows only with the bytes received.
    precondition(output.freeCapacity <= max(offset, 256 * 1024))
    calls += 1
    if case .failure(calls) = plan.mischief {
      hasEnded = true
      throw SourceFailure(call: calls)
    }
    let count = min(piece(), output.freeCapacity, bytes.count - offset)
    for index in offset..<offset + count { output.append(bytes[index]) }
    offset += count
    hasEnded = count == 0
  }

  private func piece() -> Int {
    if state == 0 { return .max }
    state = state &* 6_364_136_223_846_793_005 &+ 1
    let most = [1, 3, 8, 65, 1000, 100_000][Int(plan.pieceSeed) % 6]
    // Only small archives are read byte by byte.
    return 1 + Int(state >> 40) % (bytes.count > 1 << 16 ? max(most, 1000) : most)
  }
}

/// A positioned source that may fail, return too few or too many bytes, or change its bytes.
final class HostileSource: ArchivePositionedSource {
  let bytes: [UInt8]
  let blockByteCount: Int
  private let mischief: ReadingPlan.Mischief
  private let given = Mutex((calls: 0, bytes: 0))

  init(_ bytes: [UInt8], _ plan: ReadingPlan) {
    self.bytes = bytes
    blockByteCount = plan.blockByteCount
    mischief = plan.mischief
  }

  var byteCount: Int { bytes.count }

  /// The number of bytes returned so far.
  var givenByteCount: Int { given.withLock { $0.bytes } }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count && !range.isEmpty)
    let call = given.withLock { given in
      given.calls += 1
      given.bytes += range.count
      return given.calls
    }
    var part = Array(bytes[range])
    switch mischief {
    case .none: break
    case .failure(let number): if call == number { throw SourceFailure(call: call) }
    case .lie(let number):
      guard call > number / 16 else { break }
      switch number % 16 {
      case 0: part.removeLast()
      case 1: part.append(0)
      case 2: part = []
      case let place: part[place * 31 % part.count] ^= UInt8(1 << (call % 8))
      }
    }
    return part
  }
}
