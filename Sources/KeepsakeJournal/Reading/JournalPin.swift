import KeepsakeSeal

/// A note of how far a journal went, to be kept elsewhere (Spec/journal.md, section 9.1).
///
/// It holds for every continuation of the journal: entries can be appended, but those up to the pin cannot be changed
/// without notice. Old files can be removed, up to the segment of the pin; the first remaining entry has a number
/// that shows it. Keep the pin where a person who can write the journal cannot write. It is not secret.
public struct JournalPin: Hashable, Sendable {
  /// The random identifier of the journal.
  package let journalID: [UInt8]
  /// The number of the last segment, from 0.
  package let segment: UInt64
  /// The number of frames of that segment.
  package let frames: UInt64
  /// The digest of all frames of the journal up to there.
  package let digest: [UInt8]

  init?(_ point: ChainPoint) {
    guard let digest = point.digest else { return nil }
    journalID = point.journalID
    segment = point.segment
    frames = point.frames
    self.digest = digest
  }

  /// Reads a stored pin, the value of ``bytes``.
  ///
  /// - Throws: ``JournalError`` with `invalidPin` when the length is wrong.
  public init(bytes: [UInt8]) throws(JournalError) {
    guard bytes.count == 64 else {
      throw JournalError(.invalidPin, detail: "it has \(bytes.count) bytes")
    }
    journalID = Array(bytes[..<16])
    segment = bytes.littleEndian(at: 16, as: UInt64.self)
    frames = bytes.littleEndian(at: 24, as: UInt64.self)
    digest = Array(bytes[32...])
  }

  /// The pin in 64 bytes, to be stored.
  public var bytes: [UInt8] {
    var bytes = journalID
    bytes.appendLittleEndian(segment)
    bytes.appendLittleEndian(frames)
    return bytes + digest
  }

  /// True when a segment continues the journal of the pin right after it.
  func isRight(before header: SegmentFields) -> Bool {
    header.journalID == journalID && header.segment > 0 && header.segment - 1 == segment
      && header.framesBefore == frames && header.digestBefore == digest && !header.isAfterDamage
  }

  /// True when a point of a journal is that of the pin; throws when the journal does not continue that of the pin.
  func isReached(at point: ChainPoint) throws(JournalError) -> Bool {
    guard point.journalID == journalID else { throw JournalError(.stalePin) }
    guard point.segment <= segment else { throw JournalError(.stalePin) }
    // After damage the digest is unknown, and the point is not reached.
    guard point.segment == segment, point.frames == frames, let found = point.digest else {
      return false
    }
    guard found == digest else { throw JournalError(.stalePin) }
    return true
  }
}
