import KeepsakeSeal

/// Packs entries into the frames of one batch (Spec/journal.md, sections 3 and 4).
struct FramePacker {
  let cipher: FrameCipher
  let padding: SealOptions.Padding
  let segment: UInt64
  /// The bytes of frames that are durable before the batch.
  let mark: UInt64
  /// The point after the frames that were sealed.
  private(set) var point: ChainPoint
  /// The frames, one after the other.
  private(set) var bytes: [UInt8] = []
  private var plaintext: [UInt8] = []
  private var count: UInt32 = 0
  /// The frames that are full and not sealed yet.
  private var waiting: [(header: FrameHeader, plaintext: [UInt8])] = []
  /// The number of the entry after those in full frames.
  private var nextEntry: UInt64

  init(
    _ cipher: FrameCipher, padding: SealOptions.Padding, segment: UInt64, mark: UInt64,
    after point: ChainPoint
  ) {
    self.cipher = cipher
    self.padding = padding
    self.segment = segment
    self.mark = mark
    self.point = point
    nextEntry = point.nextEntry
  }

  private var limit: Int { JournalFormat.maximumPlaintextLength }

  mutating func add(_ entry: StoredEntry) throws(JournalError) {
    let length = entry.byteCount
    if !plaintext.isEmpty, plaintext.count + length > limit { try fill(.whole) }
    guard length > limit else {
      if plaintext.isEmpty, !waiting.isEmpty { plaintext.reserveCapacity(limit) }
      entry.write(to: &plaintext)
      count += 1
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    entry.write(to: &bytes)
    var start = 0
    while length - start > limit {
      plaintext = Array(bytes[start..<start + limit])
      count = start == 0 ? 1 : 0
      try fill(start == 0 ? .begin : .middle)
      start += limit
    }
    plaintext = Array(bytes[start...])
    try fill(.last)
  }

  /// Seals the entries that are not in a frame yet.
  mutating func finish() throws(JournalError) {
    if !plaintext.isEmpty { try fill(.whole) }
    try sealWaiting()
  }

  private mutating func fill(_ kind: FrameKind) throws(JournalError) {
    let padded = padding.paddedLength(UInt64(plaintext.count))
    let length = min(Int(clamping: padded), limit)
    plaintext += [UInt8](repeating: 0, count: max(0, length - plaintext.count))
    let header = FrameHeader(
      kind: kind, count: count, length: 0, segment: segment,
      index: point.frames + UInt64(waiting.count), first: nextEntry, mark: mark)
    waiting.append((header, plaintext))
    nextEntry += UInt64(count)
    plaintext = []
    count = 0
    if waiting.count == FrameGroup.length { try sealWaiting() }
  }

  private mutating func sealWaiting() throws(JournalError) {
    let (frames, cipher) = (waiting, cipher)
    waiting = []
    let sealed = try FrameGroup.map(frames.count) { number throws(SealError) in
      try SoundFrame(
        sealing: frames[number].plaintext, as: frames[number].header, with: cipher)
    }
    for frame in sealed {
      frame.write(to: &bytes)
      try point.add(frame.header, digest: frame.digest)
    }
  }
}
