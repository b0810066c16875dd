import KeepsakeSeal

/// Packs entries into the frames of one batch (Spec/journal.md, sections 3 and 4).
struct FramePacker {
  let cipher: FrameCipher
  let padding: SealOptions.Padding
  let segment: UInt64
  /// The bytes of frames that are durable before the batch.
  let mark: UInt64
  /// The point after the frames that were packed.
  private(set) var point: ChainPoint
  /// The frames, one after the other.
  private(set) var bytes: [UInt8] = []
  private var plaintext: [UInt8] = []
  private var count: UInt32 = 0

  init(
    _ cipher: FrameCipher, padding: SealOptions.Padding, segment: UInt64, mark: UInt64,
    after point: ChainPoint
  ) {
    self.cipher = cipher
    self.padding = padding
    self.segment = segment
    self.mark = mark
    self.point = point
  }

  mutating func add(_ entry: [UInt8]) throws(JournalError) {
    let limit = JournalFormat.maximumPlaintextLength
    if plaintext.count + entry.count > limit { try finish() }
    guard entry.count > limit else {
      plaintext += entry
      count += 1
      return
    }
    var start = 0
    while entry.count - start > limit {
      plaintext = Array(entry[start..<start + limit])
      count = start == 0 ? 1 : 0
      try seal(start == 0 ? .begin : .middle)
      start += limit
    }
    plaintext = Array(entry[start...])
    try seal(.last)
  }

  /// Seals the entries that are not in a frame yet.
  mutating func finish() throws(JournalError) {
    if !plaintext.isEmpty { try seal(.whole) }
  }

  private mutating func seal(_ kind: FrameKind) throws(JournalError) {
    let padded = padding.paddedLength(UInt64(plaintext.count))
    let length = min(Int(clamping: padded), JournalFormat.maximumPlaintextLength)
    plaintext += [UInt8](repeating: 0, count: max(0, length - plaintext.count))
    let header = FrameHeader(
      kind: kind, count: count, length: 0, segment: segment, index: point.frames,
      first: point.nextEntry, mark: mark)
    let frame = try SoundFrame(sealing: plaintext, as: header, with: cipher)
    frame.write(to: &bytes)
    try point.add(frame.header, digest: frame.digest)
    plaintext.removeAll(keepingCapacity: true)
    count = 0
  }
}
