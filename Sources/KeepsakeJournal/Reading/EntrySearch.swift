import KeepsakeSeal

/// A place in a file from which entries can be read: a header, or a frame in which an entry begins.
struct ReadingPlace: Sendable {
  let offset: UInt64
  /// The number of the first entry that begins there.
  let entry: UInt64
  /// The frames of the segment before the place; nil at its header.
  let framesBefore: UInt64?
  let header: SegmentHeader
  let headerOffset: UInt64
}

/// Finds the place of an entry without scanning the file (Spec/journal.md, section 7.4).
///
/// The search has a lower and an upper offset, and narrows them by the numbers that headers and frames between them
/// state. It takes no key, so the caller verifies the place. If the search finds no place, or damage, the caller scans
/// the file.
struct EntrySearch {
  /// A sound part of the file.
  private struct Part {
    let offset: UInt64
    /// The number of the first entry that begins there or after it.
    let entry: UInt64
    /// The index of the frame in its segment; nil for a header.
    let index: UInt64?
    /// True when reading can begin at the part.
    let beginsEntry: Bool
    /// The number by which frames name the segment.
    let tag: UInt64

    init(offset: UInt64, entry: UInt64, index: UInt64?, beginsEntry: Bool, tag: UInt64) {
      self.offset = offset
      self.entry = entry
      self.index = index
      self.beginsEntry = beginsEntry
      self.tag = tag
    }

    init(_ frame: FrameHeader, at offset: UInt64) {
      self.init(
        offset: offset, entry: frame.first, index: frame.index, beginsEntry: frame.count > 0,
        tag: frame.segment)
    }

    init(_ header: SegmentHeader, at offset: UInt64) {
      self.init(
        offset: offset, entry: header.fields.firstEntry, index: nil, beginsEntry: true,
        tag: header.tag)
    }
  }

  private(set) var window: FileWindow
  private let number: UInt64
  private let wanted: UInt64
  private let first: SegmentHeader
  /// The last part that is known to be at the entry or before it, and from which reading can begin.
  private var low: Part
  /// The offset of a header at `low` or before it.
  private var lowHeaderOffset: UInt64 = 0
  /// The parts before this offset begin at the entry or before it.
  private var passed: UInt64
  /// The parts from this offset on begin after the entry; `entry` is the number of the first one, nil while unknown.
  private var high: (offset: UInt64, entry: UInt64?)
  /// True when the next part after `low` begins after the entry.
  private var isExact = false

  /// Four times the largest part, so that a probe contains a whole part, also if the guess is off by one part.
  private static let probeLength = 4 * SegmentHeader.maximumLength
  private static let maximumProbeCount = 64

  /// Prepares to search a file for an entry; nil when it does not begin with a sound header.
  ///
  /// `next` is the first entry of the next file; nil without a next file. `marks` are places that were found before.
  init?(
    _ window: FileWindow, number: UInt64, for entry: UInt64, before next: UInt64? = nil,
    between marks: (low: JournalIndex.Mark?, high: JournalIndex.Mark?) = (nil, nil)
  ) throws(JournalError) {
    self.window = window
    guard let first = try self.window.soundHeader(at: 0), first.fields.fileNumber == number,
      first.fields.firstEntry <= entry
    else { return nil }
    self.number = number
    wanted = entry
    self.first = first
    low = Part(first, at: 0)
    passed = UInt64(first.length)
    high = (try window.size(), next)
    if let mark = marks.high, mark.file == number, mark.offset < high.offset {
      high = (mark.offset, mark.entry)
    } else if next == nil {
      let end = high.offset - min(high.offset, UInt64(JournalFormat.endLength))
      high.entry = try self.window.end(at: end)?.nextEntry
    }
    if let mark = marks.low, mark.file == number, mark.offset < high.offset {
      low = Part(
        offset: mark.offset, entry: mark.entry, index: mark.index, beginsEntry: true, tag: mark.tag)
      lowHeaderOffset = mark.headerOffset
      passed = mark.offset
    }
  }

  /// The last place at the entry or before it that was found; nil when the search found no place.
  mutating func place() throws(JournalError) -> ReadingPlace? {
    for round in 0..<EntrySearch.maximumProbeCount {
      guard !isExact, high.offset > passed else { break }
      let guess = guess(round)
      if guess <= passed + UInt64(EntrySearch.probeLength / 2) {
        guard try walk() else { break }
      } else {
        try probe(at: guess)
      }
    }
    guard let (header, offset) = try headerOfLow() else { return nil }
    return ReadingPlace(
      offset: low.offset, entry: low.entry, framesBefore: low.index, header: header,
      headerOffset: offset)
  }

  /// The offset to look at next.
  private func guess(_ round: Int) -> UInt64 {
    let distance = high.offset - passed
    let half = UInt64(EntrySearch.probeLength / 2)
    guard let entry = high.entry, entry > low.entry else {
      // The numbers at the end of a file that grows are not known.
      return round == 0 ? high.offset - min(distance, 2 * half) : passed + distance / 2
    }
    // Entries of different sizes mislead the interpolation, so every other round bisects.
    guard round < 4 || round % 2 == 0 else { return passed + distance / 2 }
    let share = Double(wanted - low.entry) / Double(entry - low.entry)
    let advance = UInt64(min(share, 1) * Double(high.offset - low.offset))
    let middle = low.offset + min(advance, high.offset - low.offset)
    return max(passed, middle - min(middle, half))
  }

  /// Looks for the first part from an offset on.
  private mutating func probe(at guess: UInt64) throws(JournalError) {
    let part = try firstPart(at: guess)
    guard let part, part.entry <= wanted, part.entry >= low.entry else {
      // No part begins between the guess and the one that was found. If its number is not beyond the wanted one, these
      // bytes are not a part, or are damaged.
      let entry = part.flatMap { $0.entry > wanted ? $0.entry : nil }
      high = (guess, entry ?? high.entry)
      return
    }
    try walk(from: part, probedAt: guess)
  }

  /// Continues frame by frame from the last part that was passed; false when there is nothing more.
  private mutating func walk() throws(JournalError) -> Bool {
    let before = passed
    guard let part = try firstPart(at: passed), part.entry >= low.entry else { return false }
    guard part.entry <= wanted else {
      isExact = true
      return true
    }
    try walk(from: part, probedAt: before)
    return passed > before
  }

  /// Passes a part and the frames after it, up to the entry or to the end of what was read.
  private mutating func walk(
    from part: Part, probedAt start: UInt64
  ) throws(JournalError) {
    passed = part.offset
    if part.beginsEntry { low = part }
    var offset = part.offset
    if part.index == nil {
      guard let header = try window.soundHeader(at: offset) else { return }
      offset += UInt64(header.length)
      passed = offset
    }
    let limit = start + UInt64(EntrySearch.probeLength - JournalFormat.frameHeaderLength)
    while offset <= limit {
      let fields = try window.read(JournalFormat.frameHeaderLength, at: offset)
      guard let frame = FrameHeader(parsing: fields), frame.segment == part.tag else {
        passed = offset
        return
      }
      guard frame.first <= wanted else {
        isExact = true
        return
      }
      passed = offset
      if frame.count > 0 {
        low = Part(frame, at: offset)
        // The entry begins in this frame.
        isExact = wanted - frame.first < UInt64(frame.count)
        if isExact { return }
      }
      offset += UInt64(frame.frameLength)
    }
  }

  /// The first sound header or frame at or after an offset, within the length of a probe.
  private mutating func firstPart(at offset: UInt64) throws(JournalError) -> Part? {
    _ = try window.read(EntrySearch.probeLength, at: offset)
    let length = UInt64(EntrySearch.probeLength)
    let end = min(offset + length, high.offset)
    var search = try SoundSearch(
      window, after: max(offset, 1) - 1, before: end, budget: 4 * length
    ) { _ in true }
    defer { window = search.window }
    while let (offset, part) = try search.next(), offset < end {
      switch part {
      case .header(let header):
        if isOfThisFile(header) { return Part(header, at: offset) }
      case .frame(let frame): return Part(frame.header, at: offset)
      case .end: continue
      case .tooCostly: return nil
      }
    }
    return nil
  }

  /// The header of the segment of the lower part.
  private mutating func headerOfLow() throws(JournalError) -> (SegmentHeader, UInt64)? {
    if low.offset == 0 || low.index != nil && low.tag == first.tag { return (first, 0) }
    // The copy has a window of its own, so this one keeps the bytes at the place.
    var copy = self
    if low.index == nil { return try copy.header(at: low.offset) }
    if let known = try copy.header(at: lowHeaderOffset), known.0.tag == low.tag { return known }
    return try copy.searchHeaderOfLow()
  }

  /// Bisects for the header: frames of earlier segments are before it, frames of its own segment are after it.
  private mutating func searchHeaderOfLow() throws(JournalError) -> (SegmentHeader, UInt64)? {
    var (start, end) = (lowHeaderOffset, low.offset)
    while end - start > UInt64(EntrySearch.probeLength) {
      let middle = start + (end - start) / 2
      guard let part = try firstPart(at: middle), part.offset <= low.offset else { return nil }
      if part.tag == low.tag {
        if part.index == nil { return try header(at: part.offset) }
        end = middle
      } else {
        start = part.offset
      }
    }
    while let part = try firstPart(at: start + 1), part.offset < low.offset {
      if part.tag == low.tag { return part.index == nil ? try header(at: part.offset) : nil }
      start = part.offset
    }
    return nil
  }

  private mutating func header(at offset: UInt64) throws(JournalError) -> (SegmentHeader, UInt64)? {
    guard let header = try window.soundHeader(at: offset), isOfThisFile(header) else { return nil }
    return (header, offset)
  }

  private func isOfThisFile(_ header: SegmentHeader) -> Bool {
    header.fields.fileNumber == number && header.fields.journalID == first.fields.journalID
  }
}

/// A segment that was closed; its end is at the end of the file, or right before another segment.
struct ClosedSegment: Sendable {
  let header: SegmentHeader
  let headerOffset: UInt64
  let end: SegmentEnd
  let endOffset: UInt64

  /// Reads the closed segment whose end is right before an offset; nil when that is not sound.
  init?(
    before offset: UInt64, in window: inout FileWindow, number: UInt64
  ) throws(JournalError) {
    guard offset > UInt64(JournalFormat.endLength) else { return nil }
    endOffset = offset - UInt64(JournalFormat.endLength)
    guard let end = try window.end(at: endOffset), end.framesLength <= endOffset,
      end.headerLength <= endOffset - end.framesLength
    else { return nil }
    headerOffset = endOffset - end.framesLength - end.headerLength
    guard let header = try window.soundHeader(at: headerOffset),
      UInt64(header.length) == end.headerLength, header.fields.fileNumber == number
    else { return nil }
    self.header = header
    self.end = end
  }

  /// The point after the last frame.
  var point: ChainPoint {
    ChainPoint(
      journalID: header.fields.journalID, segment: header.fields.segment, frames: end.frames,
      nextEntry: end.nextEntry, digest: end.digest)
  }
}
