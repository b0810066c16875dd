/// What ``SealedFile/salvage(_:with:context:policy:receive:)`` found of a damaged file.
public struct SalvageReport: Sendable, Equatable {
  /// The size of the plaintext when it was whole, in bytes.
  public let plaintextLength: Int

  /// How many bytes of it were intact and handed out.
  public private(set) var intactByteCount = 0

  /// The indices of the damaged or missing chunks, neighbours joined.
  public private(set) var damagedChunks: [Range<Int>] = []

  /// The parts of the plaintext that are lost, neighbours joined.
  public private(set) var damagedRanges: [Range<Int>] = []

  /// Whether nothing is lost.
  public var isWhole: Bool { damagedChunks.isEmpty }

  init(plaintextLength: Int) { self.plaintextLength = plaintextLength }

  mutating func addIntact(_ range: Range<Int>) { intactByteCount += range.count }

  mutating func addDamaged(_ chunks: Range<Int>, _ range: Range<Int>) {
    SalvageReport.append(chunks, to: &damagedChunks)
    SalvageReport.append(range, to: &damagedRanges)
  }

  private static func append(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}
