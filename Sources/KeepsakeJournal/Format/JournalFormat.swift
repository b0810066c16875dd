import KeepsakeSeal

/// The constants of the sealed journal, as Spec/journal.md states them.
enum JournalFormat {
  static let magic: [UInt8] = [0x89, 0x4B, 0x53, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]
  static let endMagic: [UInt8] = [0x8A, 0x4B, 0x53, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]
  static let retentionMagic: [UInt8] = [0x89, 0x4B, 0x53, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
  static let frameMark: [UInt8] = [0xB7, 0x4B, 0x4A, 0x46]
  static let version: UInt8 = 1
  static let suite: UInt8 = 1
  /// Section 2: set in a header that follows damage.
  static let afterDamageFlag: UInt8 = 1

  static let preambleLength = 192
  static let macLength = 32
  static let checkLength = 16
  static let journalIDLength = 16
  static let digestLength = 32
  static let maximumMetadataLength = 65_536

  /// Section 3: the length of the clear fields of a frame.
  static let frameHeaderLength = 48
  /// Section 3: the length of the clear fields and their check.
  static let framePrefixLength = 64
  static let tagLength = FrameCipher.tagLength
  static let maximumPlaintextLength = 65_536

  static let entryHeaderLength = 20
  static let maximumContentLength = 1 << 24
  static let maximumTypeNameLength = 1_024

  static let endLength = 112
  static let retentionLength = 112

  /// The greatest number of a segment, and the greatest number of a segment's first entry.
  static let maximumNumber = UInt64(Int64.max)
  /// The greatest number of a file: its name has room for ten digits.
  static let maximumFileNumber: UInt64 = 9_999_999_999

  static let noDigest = [UInt8](repeating: 0, count: digestLength)
}

/// The labels of derived keys and digests, each preceded by its length.
enum JournalLabel {
  static let commitment = bytes("commitment")
  static let headerMAC = bytes("header-mac")
  static let payload = bytes("payload")
  static let slots = bytes("slots")
  static let frame = bytes("frame")
  static let segment = bytes("segment")
  static let chain = bytes("chain")

  private static func bytes(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLengthPrefixed(Array("keepsake.journal/\(name)".utf8))
    return bytes
  }
}

extension [UInt8] {
  /// The bytes, followed by their check.
  func withCheck() throws(JournalError) -> [UInt8] {
    try asJournal { () throws(SealError) in
      try self + Blake2b.hash(self, count: JournalFormat.checkLength)
    }
  }

  /// True when the last bytes are the check of those before them.
  func hasCheck() throws(JournalError) -> Bool {
    let offset = count - JournalFormat.checkLength
    return try asJournal { () throws(SealError) in
      try Blake2b.isDigest(self[offset...], of: [], self[..<offset], key: nil)
    }
  }
}

/// A position in a journal, after a header or a whole frame; all frames before it form one chain.
struct ChainPoint: Hashable, Sendable {
  var journalID: [UInt8]
  var segment: UInt64
  /// The number of frames of the segment up to this point.
  var frames: UInt64
  /// The number that the next entry has.
  var nextEntry: UInt64
  /// The chain value (section 5); nil when it was not computed.
  var digest: [UInt8]?

  /// Adds the next frame to the chain; its digest is nil when the chain is not computed.
  mutating func add(_ frame: FrameHeader, digest frameDigest: [UInt8]?) throws(JournalError) {
    frames += 1
    nextEntry += UInt64(frame.count)
    guard let digest, let frameDigest else {
      self.digest = nil
      return
    }
    self.digest = try asJournal { () throws(SealError) in
      try Blake2b.hash(JournalLabel.chain, (digest + frameDigest)[...])
    }
  }
}
