import KeepsakeSeal

/// The frames of one batch, with the bytes of entries that each frame contains (Spec/journal.md, sections 3 and 4).
struct BatchPlan: Sendable {
  /// A frame that is to be sealed.
  struct Frame: Sendable {
    let header: FrameHeader
    /// The bytes of the batch before the frame.
    let offset: UInt64
    /// The range in the bytes of all entries: whole entries, or a part of a long one.
    let content: Range<Int>
  }

  private(set) var frames: [Frame] = []
  /// The length of all frames.
  private(set) var byteCount: UInt64 = 0
  private let padding: SealOptions.Padding
  private let segment: UInt64
  /// The bytes of frames that are durable before the batch.
  private let mark: UInt64
  /// The index of the next frame, and the number of its first entry.
  private var next: (frame: UInt64, entry: UInt64)

  /// Plans the frames of entries of these lengths, which follow a point of a segment.
  init(
    _ lengths: [Int], padding: SealOptions.Padding, segment: UInt64, mark: UInt64,
    after point: ChainPoint
  ) {
    self.padding = padding
    self.segment = segment
    self.mark = mark
    next = (point.frames, point.nextEntry)
    let limit = JournalFormat.maximumPlaintextLength
    // The entries that the next frame has so far: their bytes, and their number.
    var (start, end, count) = (0, 0, 0)
    for length in lengths {
      if count > 0, end - start + length > limit {
        add(.whole, start..<end, count: count)
        (start, count) = (end, 0)
      }
      end += length
      if length <= limit {
        count += 1
      } else {
        addLong(start..<end)
        start = end
      }
    }
    if count > 0 { add(.whole, start..<end, count: count) }
  }

  private mutating func addLong(_ entry: Range<Int>) {
    let limit = JournalFormat.maximumPlaintextLength
    for start in stride(from: entry.lowerBound, to: entry.upperBound, by: limit) {
      let end = min(start + limit, entry.upperBound)
      let isFirst = start == entry.lowerBound
      let kind = isFirst ? FrameKind.begin : end == entry.upperBound ? .last : .middle
      add(kind, start..<end, count: isFirst ? 1 : 0)
    }
  }

  private mutating func add(_ kind: FrameKind, _ content: Range<Int>, count: Int) {
    let padded = Int(clamping: padding.paddedLength(UInt64(content.count)))
    let plaintextLength = max(content.count, min(padded, JournalFormat.maximumPlaintextLength))
    let header = FrameHeader(
      kind: kind, count: UInt32(clamping: count), length: plaintextLength + JournalFormat.tagLength,
      segment: segment, index: next.frame, first: next.entry, mark: mark)
    frames.append(Frame(header: header, offset: byteCount, content: content))
    byteCount += UInt64(header.frameLength)
    next = (next.frame + 1, next.entry + UInt64(clamping: count))
  }
}
