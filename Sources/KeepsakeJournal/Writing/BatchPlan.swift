import KeepsakeSeal

/// The frames of one batch, before they are sealed: which entries each of them has (Spec/journal.md, sections 3 and 4).
struct BatchPlan: Sendable {
  /// A frame that is to be sealed.
  struct Frame: Sendable {
    let header: FrameHeader
    /// The bytes of the batch before the frame.
    let offset: UInt64
    fileprivate let content: Content

    func sealed(with cipher: FrameCipher) throws(SealError) -> SoundFrame {
      try SoundFrame(header, sealedWith: cipher) { plaintext in
        switch content {
        case .entries(let entries):
          let entries = entries.span
          for index in entries.indices { entries[index].write(to: &plaintext) }
        case .part(let entry, let range): entry.write(range, to: &plaintext)
        }
      }
    }
  }

  /// The plaintext of a frame.
  fileprivate enum Content {
    case entries(ArraySlice<StoredEntry>)
    /// A range of the bytes of a long entry.
    case part(StoredEntry, Range<Int>)
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

  /// Plans the frames of entries that follow a point of a segment.
  init(
    _ entries: [StoredEntry], padding: SealOptions.Padding, segment: UInt64, mark: UInt64,
    after point: ChainPoint
  ) {
    self.padding = padding
    self.segment = segment
    self.mark = mark
    next = (point.frames, point.nextEntry)
    let limit = JournalFormat.maximumPlaintextLength
    // The entries that the next frame has so far.
    var (start, length) = (0, 0)
    let stored = entries.span
    for index in stored.indices {
      let count = stored[index].byteCount
      if length > 0, length + count > limit {
        add(.whole, .entries(entries[start..<index]), count: index - start, length: length)
        (start, length) = (index, 0)
      }
      if count <= limit {
        length += count
      } else {
        addLong(entries[index], length: count)
        start = index + 1
      }
    }
    if length > 0 {
      add(.whole, .entries(entries[start...]), count: entries.count - start, length: length)
    }
  }

  private mutating func addLong(_ entry: StoredEntry, length: Int) {
    let limit = JournalFormat.maximumPlaintextLength
    for start in stride(from: 0, to: length, by: limit) {
      let end = min(start + limit, length)
      let kind = start == 0 ? FrameKind.begin : end == length ? .last : .middle
      add(kind, .part(entry, start..<end), count: start == 0 ? 1 : 0, length: end - start)
    }
  }

  private mutating func add(_ kind: FrameKind, _ content: Content, count: Int, length: Int) {
    let padded = Int(clamping: padding.paddedLength(UInt64(length)))
    let plaintextLength = max(length, min(padded, JournalFormat.maximumPlaintextLength))
    let header = FrameHeader(
      kind: kind, count: UInt32(clamping: count), length: plaintextLength + JournalFormat.tagLength,
      segment: segment, index: next.frame, first: next.entry, mark: mark)
    frames.append(Frame(header: header, offset: byteCount, content: content))
    byteCount += UInt64(header.frameLength)
    next = (next.frame + 1, next.entry + UInt64(clamping: count))
  }
}
