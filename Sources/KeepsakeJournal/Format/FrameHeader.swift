import KeepsakeSeal

/// The content of a frame: whole entries, or a part of a long one (Spec/journal.md, section 3).
enum FrameKind: UInt8, Sendable {
  case whole = 1
  /// The beginning of a long entry.
  case begin = 2
  /// A part of a long entry that is neither its beginning nor its end.
  case middle = 3
  /// The end of a long entry.
  case last = 4

  /// True when an entry continues after a frame of this kind.
  var isOpen: Bool { self == .begin || self == .middle }
}

/// The clear fields of a frame.
struct FrameHeader: Hashable, Sendable {
  var kind: FrameKind
  var count: UInt32
  /// The length of the sealed payload, with its tag.
  var length: Int
  /// The first 8 bytes of the segment id.
  var segment: UInt64
  var index: UInt64
  var first: UInt64
  /// The number of bytes of frames in the segment that were durable when this batch was written.
  var mark: UInt64

  /// The whole frame.
  var frameLength: Int { JournalFormat.framePrefixLength + length }

  var bytes: [UInt8] {
    var bytes = JournalFormat.frameMark
    bytes.reserveCapacity(JournalFormat.framePrefixLength)
    bytes += [kind.rawValue, 0, 0, 0]
    bytes.appendLittleEndian(count)
    bytes.appendLittleEndian(UInt32(length))
    for number in [segment, index, first, mark] { bytes.appendLittleEndian(number) }
    return bytes
  }
}

extension FrameHeader {
  /// Reads the fields at `offset`; nil when they are not those of a frame.
  init?(parsing bytes: [UInt8], at offset: Int = 0) {
    guard bytes.count - offset >= JournalFormat.frameHeaderLength,
      bytes[offset] == JournalFormat.frameMark[0], bytes[offset + 1] == JournalFormat.frameMark[1],
      bytes[offset + 2] == JournalFormat.frameMark[2],
      bytes[offset + 3] == JournalFormat.frameMark[3],
      let kind = FrameKind(rawValue: bytes[offset + 4]), bytes.isZero(offset + 5..<offset + 8)
    else { return nil }
    let count = bytes.littleEndian(at: offset + 8, as: UInt32.self)
    let length = Int(clamping: bytes.littleEndian(at: offset + 12, as: UInt32.self))
    let fullLength = JournalFormat.maximumPlaintextLength + JournalFormat.tagLength
    guard (JournalFormat.tagLength + 1...fullLength).contains(length) else { return nil }
    // Section 3: all parts of a long entry except the last one are full.
    let isCountRight =
      switch kind {
      case .whole:
        count >= 1
          && Int(clamping: count) * JournalFormat.entryHeaderLength <= length
            - JournalFormat.tagLength
      case .begin: count == 1 && length == fullLength
      case .middle: count == 0 && length == fullLength
      case .last: count == 0
      }
    guard isCountRight else { return nil }
    self.kind = kind
    self.count = count
    self.length = length
    segment = bytes.littleEndian(at: offset + 16, as: UInt64.self)
    index = bytes.littleEndian(at: offset + 24, as: UInt64.self)
    first = bytes.littleEndian(at: offset + 32, as: UInt64.self)
    mark = bytes.littleEndian(at: offset + 40, as: UInt64.self)
  }

  /// The frame digest, whose first 16 bytes are the check.
  static func digest(of header: [UInt8], sealed: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
    try Blake2b.hash(JournalLabel.frame + header, sealed)
  }
}

/// A stored frame whose check is right; its tag was not verified yet.
struct SoundFrame: Sendable {
  let header: FrameHeader
  let bytes: ArraySlice<UInt8>
  /// The frame digest; nil when the check was left out.
  let digest: [UInt8]?
  /// The plaintext; nil when the frame was not opened yet.
  private var opened: [UInt8]?

  private var sealed: ArraySlice<UInt8> { bytes.dropFirst(JournalFormat.framePrefixLength) }

  /// Reads the frame at an offset; nil when it is not sound, or not whole.
  ///
  /// With a cipher the frame is opened too. If the check is left out, only the fields are known to be right.
  init?(
    parsing bytes: [UInt8], at offset: Int, isChecked: Bool = true, with cipher: FrameCipher? = nil
  ) throws(SealError) {
    guard let header = FrameHeader(parsing: bytes, at: offset),
      header.frameLength <= bytes.count - offset
    else { return nil }
    self.header = header
    self.bytes = bytes[offset..<offset + header.frameLength]
    let checkStart = offset + JournalFormat.frameHeaderLength
    let fields = Array(bytes[offset..<checkStart])
    let sealed = self.bytes.dropFirst(JournalFormat.framePrefixLength)
    digest = isChecked ? try FrameHeader.digest(of: fields, sealed: sealed) : nil
    if let digest {
      guard
        bytes[checkStart..<sealed.startIndex].elementsEqual(
          digest.prefix(JournalFormat.checkLength))
      else { return nil }
    }
    opened = try cipher?.open(sealed, index: header.index, header: fields)
  }

  /// Seals a plaintext; zeros fill the rest of the length that the header states.
  init(
    _ header: FrameHeader, sealing plaintext: ArraySlice<UInt8>, with cipher: FrameCipher
  ) throws(SealError) {
    let fields = header.bytes
    // The check and the tag are zeros at first.
    var bytes = [UInt8].laidOut(header.frameLength) { output in
      output.append(fields)
      output.append(repeating: 0, count: JournalFormat.checkLength)
      output.append(plaintext)
      output.append(repeating: 0, count: output.freeCapacity)
    }
    let start = JournalFormat.framePrefixLength
    try cipher.seal(&bytes, from: start, index: header.index, header: fields)
    let digest = try FrameHeader.digest(of: fields, sealed: bytes[start...])
    for (index, byte) in digest.prefix(JournalFormat.checkLength).enumerated() {
      bytes[JournalFormat.frameHeaderLength + index] = byte
    }
    self.header = header
    self.bytes = bytes[...]
    self.digest = digest
  }

  /// The plaintext; nil when the tag does not verify.
  func plaintext(with cipher: FrameCipher) throws(JournalError) -> [UInt8]? {
    if let opened { return opened }
    return try asJournal { () throws(SealError) in
      try cipher.open(sealed, index: header.index, header: header.bytes)
    }
  }
}
