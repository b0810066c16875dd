import KeepsakeSeal

/// The end of a closed segment (Spec/journal.md, section 5).
struct SegmentEnd: Hashable, Sendable {
  var frames: UInt64
  var nextEntry: UInt64
  /// Milliseconds since 1970.
  var latestTime: Int64
  var framesLength: UInt64
  var digest: [UInt8]
  private(set) var tag: [UInt8] = []
  var headerLength: UInt64

  /// The bytes that the tag covers.
  private var fields: [UInt8] {
    var bytes = JournalFormat.endMagic
    bytes.appendLittleEndian(frames)
    bytes.appendLittleEndian(nextEntry)
    bytes.appendLittleEndian(latestTime)
    bytes.appendLittleEndian(framesLength)
    return bytes + digest
  }

  init(
    closing point: ChainPoint, digest: [UInt8], latestTime: Int64, framesLength: UInt64,
    headerLength: Int, with cipher: FrameCipher
  ) throws(JournalError) {
    frames = point.frames
    nextEntry = point.nextEntry
    self.latestTime = latestTime
    self.framesLength = framesLength
    self.digest = digest
    self.headerLength = UInt64(headerLength)
    let (fields, frames) = (fields, frames)
    tag = try asJournal { () throws(SealError) in
      var tag = [UInt8](repeating: 0, count: JournalFormat.tagLength)
      try cipher.seal(&tag, index: frames, isEnd: true, header: fields)
      return tag
    }
  }

  /// Reads an end; nil when its magic or its check is wrong.
  init?(parsing bytes: [UInt8]) throws(JournalError) {
    guard bytes.count == JournalFormat.endLength,
      bytes.prefix(8).elementsEqual(JournalFormat.endMagic), try bytes.hasCheck()
    else { return nil }
    frames = bytes.littleEndian(at: 8, as: UInt64.self)
    nextEntry = bytes.littleEndian(at: 16, as: UInt64.self)
    latestTime = bytes.littleEndian(at: 24, as: Int64.self)
    framesLength = bytes.littleEndian(at: 32, as: UInt64.self)
    digest = Array(bytes[40..<72])
    tag = Array(bytes[72..<88])
    headerLength = bytes.littleEndian(at: 88, as: UInt64.self)
  }

  func bytes() throws(JournalError) -> [UInt8] {
    var bytes = fields + tag
    bytes.appendLittleEndian(headerLength)
    return try bytes.withCheck()
  }

  /// True when this end was made by a holder of the data key.
  func isGenuine(with cipher: FrameCipher) throws(JournalError) -> Bool {
    let (tag, fields, frames) = (tag, fields, frames)
    return try asJournal { () throws(SealError) in
      try cipher.open(tag[...], index: frames, isEnd: true, header: fields) != nil
    }
  }
}
