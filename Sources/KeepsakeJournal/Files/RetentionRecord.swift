import KeepsakeFiles
import KeepsakeSeal

/// Where a journal begins after old files were removed (Spec/journal.md, section 9.2).
struct RetentionRecord: Hashable, Sendable {
  let journalID: [UInt8]
  let fileNumber: UInt64
  let segment: UInt64
  let firstEntry: UInt64
  let digestBefore: [UInt8]

  /// Makes the record of a journal that begins with the file of this header.
  init(keepingFrom header: SegmentFields) {
    journalID = header.journalID
    fileNumber = header.fileNumber
    segment = header.segment
    firstEntry = header.firstEntry
    digestBefore = header.digestBefore
  }

  /// True when the header is the first one that is kept.
  func isFirst(_ header: SegmentFields) -> Bool { self == RetentionRecord(keepingFrom: header) }

  /// The record of a journal; nil when no file was removed yet.
  static func read(from files: JournalFiles) throws(JournalError) -> RetentionRecord? {
    // One byte more than a record has, so that a longer file is refused.
    guard let bytes = try files.retention(upTo: JournalFormat.retentionLength + 1) else {
      return nil
    }
    return try RetentionRecord(parsing: bytes, path: files.retentionPath)
  }

  private init(parsing bytes: [UInt8], path: String) throws(JournalError) {
    guard bytes.count == JournalFormat.retentionLength,
      bytes.prefix(8).elementsEqual(JournalFormat.retentionMagic), bytes.isZero(80..<96),
      try bytes.hasCheck()
    else { throw JournalError(.malformedRetention, path: path) }
    journalID = Array(bytes[8..<24])
    fileNumber = bytes.littleEndian(at: 24, as: UInt64.self)
    segment = bytes.littleEndian(at: 32, as: UInt64.self)
    firstEntry = bytes.littleEndian(at: 40, as: UInt64.self)
    digestBefore = Array(bytes[48..<80])
    guard (1...JournalFormat.maximumFileNumber).contains(fileNumber) else {
      throw JournalError(.malformedRetention, path: path)
    }
  }

  /// Replaces the record durably.
  func write(to files: JournalFiles) throws(JournalError) {
    let (path, whole) = (files.retentionPath, try bytes())
    try withJournalErrors { () throws(FileError) in
      try DurableFile.replace(at: path, with: whole.span)
    }
  }

  func bytes() throws(JournalError) -> [UInt8] {
    var bytes = JournalFormat.retentionMagic + journalID
    bytes.appendLittleEndian(fileNumber)
    bytes.appendLittleEndian(segment)
    bytes.appendLittleEndian(firstEntry)
    bytes += digestBefore + [UInt8](repeating: 0, count: 16)
    return try bytes.withCheck()
  }
}
