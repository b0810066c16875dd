import KeepsakeSeal

/// Walks over the headers, frames and ends of one file, in order and without keys (Spec/journal.md, sections 3 to 7).
///
/// It computes the chain, and refuses what does not continue the part before it.
struct FileScanner {
  /// The part that begins at the offset of the scanner.
  enum Found {
    case header(SegmentHeader)
    case frame(SoundFrame)
    case end(SegmentEnd)
    /// The file ends there.
    case nothing
    case broken
  }

  var window: FileWindow
  let number: UInt64
  /// The header of the segment; nil before the first one.
  private(set) var header: SegmentHeader?
  private(set) var offset: UInt64 = 0
  private(set) var framesStart: UInt64 = 0
  /// The point after the last frame, or of the file before; nil when it is unknown.
  private(set) var point: ChainPoint?
  /// The offset and the point after the last frame that ends an entry.
  private(set) var whole: (offset: UInt64, point: ChainPoint?)
  /// True when the entry of the last frame continues in the next one.
  private var isEntryOpen = false
  /// True after an end: only a header can follow.
  private(set) var isClosed = true
  /// The journal that all segments belong to; nil while it is unknown.
  private(set) var journalID: [UInt8]?
  /// True when damage was passed in the segment.
  private var hasPassedDamage = false
  /// True when the check of each frame is compared, and the chain is computed.
  private(set) var verifiesChain: Bool
  /// An offset at which evidence was found that all before it had been durable.
  private var evidence: UInt64 = 0

  /// Begins at the start of a file; `point` is where the file before ended, nil when that is unknown.
  init(
    _ window: FileWindow, number: UInt64, after point: ChainPoint? = nil,
    of journalID: [UInt8]? = nil, verifiesChain: Bool = true
  ) {
    self.window = window
    self.verifiesChain = verifiesChain
    self.number = number
    self.point = point
    self.journalID = journalID
    whole = (0, point)
  }

  /// Returns the part at the offset, and moves past it.
  mutating func next() throws(JournalError) -> Found {
    let found = try look()
    guard case .broken = found else { return found }
    // A writer may have been at work when the bytes were read.
    window.forget()
    return try look()
  }

  private mutating func look() throws(JournalError) -> Found {
    if try window.read(1, at: offset).isEmpty, offset > 0 { return .nothing }
    if !isClosed {
      var frame = try window.frame(at: offset, isChecked: verifiesChain)
      if !verifiesChain, let fields = frame?.header, !isInSequence(fields) {
        // The check tells whether the frame is damaged, or still being written.
        frame = try window.frame(at: offset)
      }
      if let frame {
        try take(frame)
        return .frame(frame)
      }
      if let end = try window.end(at: offset) {
        try take(end)
        return .end(end)
      }
    }
    if isClosed, offset > 0 {
      let (frame, end) = (try window.frame(at: offset), try window.end(at: offset))
      guard frame == nil, end == nil else { throw damage("data follows the end of a segment") }
    }
    let found = try offset == 0 ? window.header(at: 0) : window.soundHeader(at: offset)
    guard let found else { return .broken }
    try take(found)
    return .header(found)
  }

  /// True when a frame continues the part before it (section 3).
  private func isInSequence(_ fields: FrameHeader) -> Bool {
    guard let point else { return false }
    let follows = isEntryOpen ? [.middle, .last] : [FrameKind.whole, .begin]
    return fields.segment == header?.tag && fields.index == point.frames
      && fields.index < UInt64.max && fields.first == point.nextEntry
      && follows.contains(fields.kind)
      && (hasPassedDamage || fields.mark <= offset - framesStart)
      && UInt64.max - point.nextEntry >= UInt64(fields.count)
  }

  private mutating func take(_ frame: SoundFrame) throws(JournalError) {
    let fields = frame.header
    guard var point, isInSequence(fields) else { throw damage("a frame is out of sequence") }
    try point.add(fields, digest: frame.digest)
    self.point = point
    isEntryOpen = fields.kind.isOpen
    offset += UInt64(fields.frameLength)
    if !isEntryOpen { whole = (offset, point) }
  }

  private mutating func take(_ end: SegmentEnd) throws(JournalError) {
    guard let point, !isEntryOpen, end.frames == point.frames, end.nextEntry == point.nextEntry,
      end.framesLength == offset - framesStart, end.headerLength == UInt64(header?.length ?? 0),
      point.digest == nil || point.digest == end.digest
    else { throw damage("the end does not fit its segment") }
    self.point?.digest = end.digest
    isClosed = true
    offset += UInt64(JournalFormat.endLength)
    whole = (offset, self.point)
  }

  /// Checks that a header continues the part before it (section 6).
  private mutating func take(_ found: SegmentHeader) throws(JournalError) {
    let fields = found.fields
    guard !isEntryOpen else { throw damage("an entry is not finished") }
    guard isOfThisFile(fields, at: offset) else {
      throw error(.wrongFile, "segment \(fields.segment) of file \(fields.fileNumber)")
    }
    if let point, !fields.isAfterDamage, !hasPassedDamage {
      guard fields.segment == point.segment + 1 else {
        throw error(.wrongFile, "segment \(fields.segment) after \(point.segment)")
      }
      guard fields.framesBefore == point.frames, fields.firstEntry == point.nextEntry,
        point.digest == nil || fields.digestBefore == point.digest
      else { throw error(.brokenChain, "segment \(fields.segment)") }
    }
    journalID = fields.journalID
    header = found
    point = try found.start()
    offset += UInt64(found.length)
    framesStart = offset
    isClosed = false
    hasPassedDamage = false
    whole = (offset, point)
  }

  /// True when a header is one of this journal and this file; one that follows damage begins its file.
  func isOfThisFile(_ fields: SegmentFields, at offset: UInt64) -> Bool {
    fields.fileNumber == number && (journalID == nil || fields.journalID == journalID)
      && (!fields.isAfterDamage || offset == 0)
  }

  private func error(_ code: JournalError.Code, _ detail: String) -> JournalError {
    JournalError(
      code, path: window.path, offset: offset, entry: whole.point?.nextEntry, detail: detail)
  }

  /// The error of damage at the offset.
  func damage(_ detail: String = "") -> JournalError { error(.damaged, detail) }
}

extension FileScanner {
  /// Compares the check of each frame from here on, and computes the chain again from the next header.
  mutating func verifyChain() {
    verifiesChain = true
    window.forgetOpened()
  }

  /// Moves to a place that a search found; the part before it and the chain are then unknown.
  mutating func move(to place: ReadingPlace) throws(JournalError) {
    offset = place.offset
    guard let frames = place.framesBefore else {
      whole = (offset, nil)
      return
    }
    var found = try place.header.start()
    if frames > 0 { found.digest = nil }
    found.frames = frames
    found.nextEntry = place.entry
    header = place.header
    framesStart = place.headerOffset + UInt64(place.header.length)
    point = found
    isClosed = false
    whole = (offset, point)
  }

  /// Moves to the end of a closed segment, which is known to be genuine.
  mutating func move(toAfter segment: ClosedSegment) {
    offset = segment.endOffset + UInt64(JournalFormat.endLength)
    header = segment.header
    point = segment.point
    whole = (offset, point)
  }

  /// True when the bytes at the offset had been durable: a part of the journal after them proves it (section 7.1).
  mutating func wasDurable() throws(JournalError) -> Bool {
    guard evidence <= offset else { return true }
    let (tag, frames) = (header?.tag, offset - framesStart)
    var search = try SoundSearch(window, after: offset) { frame in
      frame.segment != tag || frame.mark > frames
    }
    guard let found = try search.next() else { return false }
    evidence = found.offset
    return true
  }

  /// Continues after damage at a frame of the segment, which is known to be genuine.
  mutating func jump(to offset: UInt64, before frame: FrameHeader) {
    self.offset = offset
    point?.frames = frame.index
    point?.nextEntry = frame.first
    point?.digest = nil
    isEntryOpen = false
    isClosed = false
    hasPassedDamage = true
    whole = (offset, point)
  }

  /// Continues after damage at a header, which is not compared with the part before it.
  mutating func jump(to offset: UInt64, before header: SegmentHeader) throws(JournalError) {
    self.offset = offset + UInt64(header.length)
    framesStart = self.offset
    self.header = header
    point = try header.start()
    isEntryOpen = false
    isClosed = false
    hasPassedDamage = false
    whole = (self.offset, point)
  }
}

/// Searches for sound parts of a journal at every offset, within a budget (Spec/journal.md, section 7.1).
struct SoundSearch {
  enum Part {
    case header(SegmentHeader)
    case frame(SoundFrame)
    case end(SegmentEnd)
    /// The bytes look like parts so often that the search was given up.
    case tooCostly
  }

  private(set) var window: FileWindow
  private var offset: UInt64
  /// The offset that the search ends before; nil for the end of the file.
  private let end: UInt64?
  /// Returns false for frames that the search skips.
  private let isWanted: (FrameHeader) -> Bool
  /// The bytes that the search may still hash.
  private(set) var budget: UInt64
  private var blockLength = 512
  private static let longestBlock = 1 << 16

  /// Searches from the byte after `offset` on.
  ///
  /// `budget` is the number of bytes that it may hash; nil for four times the rest of the file, plus 1 MiB. A search up
  /// to `end` uses the bytes that the window has read; a search to the end of the file reads them again.
  init(
    _ window: FileWindow, after offset: UInt64, before end: UInt64? = nil, budget: UInt64? = nil,
    where isWanted: @escaping (FrameHeader) -> Bool
  ) throws(JournalError) {
    self.window = window
    self.offset = offset + 1
    self.end = end
    self.isWanted = isWanted
    if end == nil { self.window.forget() }
    let size = try window.size()
    self.budget = budget ?? 4 * (size > offset ? size - offset : 0) + 1 << 20
  }

  /// The next sound part; nil when the file ends.
  mutating func next() throws(JournalError) -> (offset: UInt64, part: Part)? {
    while offset < end ?? .max {
      // Damage is often short, so the search begins with a small block.
      let rest = Int(clamping: (end ?? .max) - offset)
      let block = try window.read(min(blockLength, rest), at: offset)
      if block.isEmpty { return nil }
      blockLength = min(2 * blockLength, SoundSearch.longestBlock)
      for index in block.indices {
        let first = block[index]
        guard first == 0xB7 || first == 0x89 || first == 0x8A else { continue }
        let place = offset + UInt64(index)
        if let part = try part(at: place) {
          offset = place + 1
          return (place, part)
        }
      }
      offset += UInt64(block.count)
    }
    return nil
  }

  private mutating func part(at place: UInt64) throws(JournalError) -> Part? {
    let prefix = try window.read(JournalFormat.preambleLength, at: place)
    if let header = FrameHeader(parsing: prefix) {
      guard isWanted(header) else { return nil }
      guard chargeBudget(JournalFormat.frameHeaderLength + header.length) else { return .tooCostly }
      return try window.frame(at: place).map { .frame($0) }
    }
    if prefix.starts(with: JournalFormat.endMagic) {
      guard chargeBudget(JournalFormat.endLength - JournalFormat.checkLength) else {
        return .tooCostly
      }
      return try window.end(at: place).map { .end($0) }
    }
    if prefix.starts(with: JournalFormat.magic) {
      guard let length = try? SegmentHeader.length(stating: prefix) else { return nil }
      guard chargeBudget(length - JournalFormat.checkLength) else { return .tooCostly }
      return try window.soundHeader(at: place).map { .header($0) }
    }
    return nil
  }

  private mutating func chargeBudget(_ count: Int) -> Bool {
    guard budget >= UInt64(count) else {
      budget = 0
      return false
    }
    budget -= UInt64(count)
    return true
  }
}
