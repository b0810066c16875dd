import KeepsakeFiles
import KeepsakeSeal

/// The choice of entries that a reader returns.
struct ReadingOptions: Sendable {
  /// The number of the first entry.
  var from: UInt64 = 0
  /// The earliest time, in milliseconds since 1970; nil for all times.
  var since: Int64?
  /// True when reading continues after damage.
  var skipsDamage = false
  /// A point that the journal has to contain.
  var pin: JournalPin?
  /// False when a verified tag is enough to accept a frame: its check is not compared, and no chain is computed.
  var verifiesChain = true
}

/// Reads the entries of a journal in order, over all its files (Spec/journal.md, section 7).
///
/// It takes no lock. It keeps the file that it reads open, so that files can be removed meanwhile.
struct JournalReader {
  /// The result of one step.
  enum Step {
    case entries(FoundEntries)
    /// The journal ends here, for now.
    case end
  }

  let files: JournalFiles
  let keys: JournalKeys
  let options: ReadingOptions
  /// Places that were found before; nil when nothing is kept.
  private let index: JournalIndex?
  private var scanner: FileScanner?
  /// The scanner at the start of the file, when a search has moved it; nil once the file was read from its start.
  private var fileStart: FileScanner?
  private var cipher: FrameCipher? {
    didSet { scanner?.window.forgetOpened() }
  }
  /// The first header of the next file, once it exists.
  private var nextHeader: SegmentHeader?
  /// True when the next file exists, and its header is damaged.
  private var isNextBroken = false
  /// True when the rest of the file is damaged, and was skipped.
  private var isRestSkipped = false
  /// The bytes of the file that searches after damage may still hash; nil before the first damage.
  private var searchBudget: UInt64?
  /// The beginning of an entry that takes several frames.
  private var openEntry: [UInt8] = []
  private var openEntryLength = 0
  /// The number of the entry that comes next when none is missing.
  private var expected: UInt64
  /// True when the segment of the pin was removed, and the next header read is the first one that is kept.
  private var isPinRemoved = false
  /// True when the reader has reached the point of the pin.
  private var hasPassedPin = false

  init(
    _ files: JournalFiles, keys: JournalKeys, options: ReadingOptions, index: JournalIndex? = nil
  ) {
    self.files = files
    self.keys = keys
    self.options = options
    self.index = index
    expected = options.from
  }

  /// The point after the last frame that was read; nil before the first one.
  var point: ChainPoint? { scanner?.whole.point }

  /// Refuses a journal that ends before the point of the pin.
  func requirePin() throws(JournalError) {
    guard options.pin == nil || hasPassedPin else {
      throw JournalError(.stalePin, path: files.directory, detail: "it ends before the pin")
    }
  }

  /// The next entries, up to those of one frame.
  mutating func step() throws(JournalError) -> Step {
    while true {
      if scanner == nil {
        guard try openFirst() else { return .end }
      }
      do throws(JournalError) {
        if let step = try stepInFile() { return step }
      } catch {
        if error.isAboutBytes, let fileStart {
          // The search may have found a wrong place, so the file is read from its start.
          (scanner, self.fileStart, cipher, openEntry) = (fileStart, nil, nil, [])
          continue
        }
        guard options.skipsDamage, error.allowsContinuing else { throw error }
        try skip(from: error.offset ?? scanner?.offset ?? 0)
      }
    }
  }

  /// One step in the open file; nil when there is more to do before an entry or the end is found.
  private mutating func stepInFile() throws(JournalError) -> Step? {
    guard !isRestSkipped else { return try enterNextFile() ? nil : .end }
    if isSegmentOver {
      guard try enterNextFile() else { return .end }
      return nil
    }
    guard let before = scanner, var current = scanner else { return .end }
    if let cipher {
      try current.window.openFrames(
        at: current.offset, with: cipher, isChecked: current.verifiesChain)
    }
    let found = try current.next()
    scanner = current
    switch found {
    case .header(let header):
      openEntry = []
      cipher = try keys.cipher(of: header, path: current.window.path)
      if isPinRemoved {
        // Section 9.1: the first header that is kept may continue the pin.
        hasPassedPin = options.pin?.isRight(before: header.fields) ?? false
        isPinRemoved = false
      }
      try checkPin(current.point)
    case .frame(let frame):
      guard let cipher, let plaintext = try frame.plaintext(with: cipher) else {
        scanner = before
        if frame.digest == nil {
          // The check of the frame tells whether it is damaged, or still being written.
          scanner?.verifyChain()
          return nil
        }
        throw before.damage("a frame does not verify")
      }
      try checkPin(current.point)
      let entries = try entries(of: frame.header, plaintext, at: before)
      return entries.isEmpty ? nil : .entries(entries)
    case .end(let end):
      guard let cipher, try end.isGenuine(with: cipher) else {
        throw before.damage("the end of a segment does not verify")
      }
    case .nothing, .broken:
      // The next file may be newer than what was read of this one, so the rest is read again.
      if nextHeader == nil, try findNextHeader() { return nil }
      if isNextBroken, case .nothing = found, try enterNextFile() { return nil }
      guard nextHeader == nil, !isNextBroken else {
        throw current.damage("the rest of the file is missing")
      }
      if nextHeader == nil, try isNextRemoved() { return try enterNextFile() ? nil : .end }
      guard case .broken = found else { return .end }
      let isDamaged = try current.wasDurable()
      scanner = current
      if isDamaged {
        // The writer may have finished the batch after the bytes were read.
        if case .broken = try current.next() { throw current.damage() }
        return nil
      }
      return .end
    }
    return nil
  }

  private mutating func checkPin(_ point: ChainPoint?) throws(JournalError) {
    guard let pin = options.pin, !hasPassedPin, let point else { return }
    do throws(JournalError) {
      hasPassedPin = try pin.isReached(at: point)
    } catch {
      throw error.at(files.directory)
    }
  }
}

// Files.
extension JournalReader {
  /// Opens the file with the first requested entry; false when there are no files yet.
  private mutating func openFirst() throws(JournalError) -> Bool {
    // Files can be removed between the listing of the directory and the opening.
    for _ in 0..<16 {
      let (numbers, retention) = try files.kept()
      guard let first = numbers.first, let number = try start(among: numbers) else { return false }
      guard var window = try files.open(number) else { continue }
      if let pin = options.pin, let retention, pin.segment < retention.segment {
        guard retention.segment - 1 == pin.segment, retention.digestBefore == pin.digest else {
          throw JournalError(.stalePin, path: files.directory, detail: "its segment was removed")
        }
        isPinRemoved = true
      }
      if number == first { try checkFirst(number, retention, in: &window) }
      try enter(window, number, after: nil, of: retention?.journalID)
      try seekEntry()
      return true
    }
    throw JournalError(.missingFile, path: files.directory)
  }

  /// The last file that begins with the requested entry or an earlier one; with a pin, the first file.
  private func start(among numbers: [UInt64]) throws(JournalError) -> UInt64? {
    guard options.from > 0, options.pin == nil else { return numbers.first }
    var (low, high) = (0, numbers.count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      guard let header = try soundHeader(of: numbers[middle]) else { break }
      if header.firstEntry <= options.from { low = middle } else { high = middle }
    }
    // A file without a sound header has no number to compare.
    for index in stride(from: high - 1, to: low, by: -1) {
      if let header = try soundHeader(of: numbers[index]), header.firstEntry <= options.from {
        return numbers[index]
      }
    }
    return numbers.isEmpty ? nil : numbers[low]
  }

  private func soundHeader(of number: UInt64) throws(JournalError) -> SegmentFields? {
    guard var window = try files.open(number) else { return nil }
    return try window.soundHeader(at: 0)?.fields
  }

  /// Checks the first header of the journal against the record of removed files.
  private func checkFirst(
    _ number: UInt64, _ retention: RetentionRecord?, in window: inout FileWindow
  ) throws(JournalError) {
    let header: SegmentHeader?
    do throws(JournalError) {
      header = try window.header(at: 0)
    } catch {
      // The scanner finds the damaged header too, and may then skip it.
      if error.isAboutBytes { return }
      throw error
    }
    guard let fields = header?.fields else { return }
    let isFirst =
      retention?.isFirst(fields)
      ?? (fields.segment == 0 && fields.firstEntry == 0 && !fields.isAfterDamage)
    guard isFirst else {
      throw JournalError(
        .wrongFile, path: files.path(of: number), detail: "it is not the first file")
    }
  }

  private mutating func enter(
    _ window: FileWindow, _ number: UInt64, after point: ChainPoint?, of journalID: [UInt8]?
  ) throws(JournalError) {
    scanner = FileScanner(
      window, number: number, after: point, of: journalID,
      verifiesChain: options.verifiesChain || options.pin != nil)
    fileStart = nil
    cipher = nil
    nextHeader = nil
    isNextBroken = false
    isRestSkipped = false
    searchBudget = nil
    openEntry = []
    _ = try findNextHeader()
    try seekTime()
  }

  /// Looks for the file after the open one; true when it has just been found.
  private mutating func findNextHeader() throws(JournalError) -> Bool {
    guard nextHeader == nil, let number = scanner?.number else { return false }
    do throws(JournalError) {
      nextHeader = try files.firstHeader(of: number + 1)
    } catch {
      guard error.isAboutBytes else { throw error }
      // The error is reported when the reader reaches that file.
      isNextBroken = true
      return false
    }
    return nextHeader != nil
  }

  /// True when the next file is absent and later ones are there: it was removed, or is missing.
  private func isNextRemoved() throws(JournalError) -> Bool {
    guard let number = scanner?.number, let last = try files.numbers().last, last > number + 1
    else { return false }
    return try files.open(number + 1) == nil
  }

  /// True when the next file begins with the segment after this one, and all frames that it counts were read.
  private var isSegmentOver: Bool {
    guard let next = nextHeader?.fields, !next.isAfterDamage, let point = scanner?.whole.point,
      scanner?.header != nil, next.segment > 0, next.journalID == point.journalID
    else { return false }
    return next.segment - 1 == point.segment && next.framesBefore <= point.frames
  }

  /// Continues with the next file; false while it does not exist.
  private mutating func enterNextFile() throws(JournalError) -> Bool {
    guard let current = scanner else { return false }
    var found = try files.open(current.number + 1).map { (number: current.number + 1, window: $0) }
    // Files can be removed between the listing of the directory and the opening.
    for _ in 0..<16 where found == nil {
      let later = try files.kept().numbers.first { $0 > current.number }
      guard let later else { return false }
      found = try files.open(later).map { (number: later, window: $0) }
    }
    guard let (number, window) = found else { return false }
    // Files in between were removed, and their removal was recorded.
    let isNext = number == current.number + 1 && !isRestSkipped
    var point = current.whole.point
    if let next = nextHeader?.fields, !next.isAfterDamage, let read = point,
      next.framesBefore < read.frames
    {
      // The reader has returned entries that were never durable; entries of the next file have their numbers.
      point = nil
      expected = min(expected, next.firstEntry)
    }
    try enter(window, number, after: isNext ? point : nil, of: current.journalID)
    return true
  }
}

// Searching (section 7.4).
extension JournalReader {
  /// Moves to a frame shortly before the first requested entry, if a search finds one that verifies.
  private mutating func seekEntry() throws(JournalError) {
    guard options.from > 0, options.pin == nil, fileStart == nil, var current = scanner else {
      return
    }
    let marks = index?.around(options.from) ?? (nil, nil)
    guard
      var search = try EntrySearch(
        current.window, number: current.number, for: options.from,
        before: nextHeader?.fields.firstEntry, between: marks),
      let place = try search.place(), place.offset > 0
    else { return }
    var window = search.window
    let path = window.path
    guard current.journalID ?? place.header.fields.journalID == place.header.fields.journalID,
      let cipher = try? keys.cipher(of: place.header, path: path)
    else { return }
    if let frames = place.framesBefore {
      guard let frame = try window.frame(at: place.offset), frame.header.index == frames,
        frame.header.first == place.entry, frame.header.segment == place.header.tag,
        try frame.plaintext(with: cipher) != nil
      else {
        index?.clear()
        return
      }
      index?.add(
        JournalIndex.Mark(
          entry: place.entry, file: current.number, offset: place.offset,
          headerOffset: place.headerOffset, index: frames, tag: place.header.tag))
    }
    fileStart = current
    current.window = window
    try current.move(to: place)
    (scanner, self.cipher) = (current, cipher)
  }

  /// Moves over the closed segments at the start of the open file whose entries are all earlier than the requested
  /// ones, as their ends state.
  private mutating func seekTime() throws(JournalError) {
    guard let since = options.since, options.pin == nil, var current = scanner else { return }
    var window = current.window
    let size = try window.size()
    var offset = size
    // The last segment of those that can be passed over.
    var passed: ClosedSegment?
    while offset > 0 {
      guard let segment = try ClosedSegment(before: offset, in: &window, number: current.number),
        current.journalID ?? segment.header.fields.journalID == segment.header.fields.journalID,
        let cipher = try? keys.cipher(of: segment.header, path: window.path),
        try segment.end.isGenuine(with: cipher)
      else { return }
      if segment.end.latestTime >= since { passed = nil } else { passed = passed ?? segment }
      offset = segment.headerOffset
    }
    guard let passed else { return }
    fileStart = current
    current.move(toAfter: passed)
    scanner = current
    expected = max(expected, passed.end.nextEntry)
  }
}

// Damage.
extension JournalReader {
  /// Continues with the next sound part after an offset (section 7.2).
  private mutating func skip(from offset: UInt64) throws(JournalError) {
    openEntry = []
    guard var current = scanner else { return }
    let (tag, point) = (current.header?.tag, current.point)
    var search = try SoundSearch(current.window, after: offset, budget: searchBudget) { frame in
      frame.segment == tag && frame.count > 0 && frame.index >= point?.frames ?? 0
        && frame.first >= point?.nextEntry ?? 0
    }
    defer { searchBudget = search.budget }
    while let found = try search.next() {
      switch found.part {
      case .header(let header):
        guard current.isOfThisFile(header.fields, at: found.offset) else { continue }
        if let point, header.fields.segment <= point.segment { continue }
        guard let cipher = try? keys.cipher(of: header, path: current.window.path) else { continue }
        try current.jump(to: found.offset, before: header)
        (scanner, self.cipher) = (current, cipher)
        return
      case .frame(let frame):
        guard let cipher, try frame.plaintext(with: cipher) != nil else { continue }
        current.jump(to: found.offset, before: frame.header)
        scanner = current
        return
      case .end: continue
      case .tooCostly:
        isRestSkipped = true
        return
      }
    }
    isRestSkipped = true
  }
}

// Entries.
extension JournalReader {
  /// The requested entries that end in a frame.
  private mutating func entries(
    of frame: FrameHeader, _ plaintext: [UInt8], at place: FileScanner
  ) throws(JournalError) -> FoundEntries {
    // The parts of a long entry after its beginning state the number of the entry after it.
    let entryNumber = frame.count == 0 ? frame.first - 1 : frame.first
    let malformed = JournalError(
      .malformedEntry, path: place.window.path, offset: place.offset, entry: entryNumber)
    var found = FoundEntries(in: plaintext)
    switch frame.kind {
    case .whole:
      var offset = 0
      found.reserveCapacity(Int(clamping: frame.count))
      for index in 0..<UInt64(frame.count) {
        guard let entry = EntryHeader(parsing: plaintext, at: &offset) else { throw malformed }
        add(entry, frame.first + index, to: &found)
      }
      guard plaintext.isZero(offset..<plaintext.count) else { throw malformed }
    case .begin:
      guard let begun = EntryHeader(begunIn: plaintext) else { throw malformed }
      openEntry = plaintext
      openEntryLength = begun.content.upperBound
    case .middle:
      openEntry += plaintext
      guard openEntry.count < openEntryLength else { throw malformed }
    case .last:
      openEntry += plaintext
      var offset = 0
      guard let entry = EntryHeader(parsing: openEntry, at: &offset), offset == openEntryLength,
        openEntry.isZero(offset..<openEntry.count)
      else { throw malformed }
      found = FoundEntries(in: openEntry)
      openEntry = []
      add(entry, entryNumber, to: &found)
    }
    return found
  }

  private mutating func add(
    _ entry: EntryHeader, _ number: UInt64, to found: inout FoundEntries
  ) {
    guard number >= options.from, number >= expected else { return }
    let missing = number - expected
    expected = number + 1
    if let since = options.since, entry.time < since { return }
    found.append(entry, number: number, missingBefore: missing)
  }
}
