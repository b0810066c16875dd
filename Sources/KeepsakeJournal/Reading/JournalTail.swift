import KeepsakeSeal

/// The place where the data of a journal ends, found without keys (Spec/journal.md, section 8.3).
struct JournalTail {
  enum State {
    /// The data ends at the end of the last file.
    case clean
    /// The last segment was not closed, and may end with an unfinished batch.
    case unfinished
    /// Bytes that had been durable are broken or missing.
    case damaged
  }

  let fileNumber: UInt64
  /// The offset in the last file at which the whole entries end; after damage, where the damage begins.
  let offset: UInt64
  /// The point after the last whole entry; after damage, a point above all known numbers.
  let point: ChainPoint
  let state: State
  /// The time of the first header of the last file, in milliseconds since 1970; nil when it is damaged.
  let fileTime: Int64?

  /// Finds the end of a journal; nil when it has no files.
  static func find(in files: JournalFiles) throws(JournalError) -> JournalTail? {
    guard let last = try files.kept().numbers.last, var window = try files.open(last) else {
      return nil
    }
    let time = try window.soundHeader(at: 0)?.fields.time
    let size = try window.size()
    if time != nil, let segment = try ClosedSegment(before: size, in: &window, number: last) {
      return JournalTail(
        fileNumber: last, offset: size, point: segment.point, state: .clean, fileTime: time)
    }
    var scanner = FileScanner(window, number: last)
    do throws(JournalError) {
      let state = try walk(&scanner)
      if state != .damaged, let point = scanner.whole.point {
        return JournalTail(
          fileNumber: last, offset: scanner.whole.offset, point: point, state: state,
          fileTime: time)
      }
    } catch {
      // The file may be of a later version, which is not damage.
      let unknown: [JournalError.Code] = [
        .unsupportedVersion, .unsupportedSuite, .unsupportedFlags,
      ]
      guard error.isAboutBytes, !unknown.contains(error.code) else { throw error }
    }
    guard let point = try pointAfterDamage(in: files, last: last) else {
      throw JournalError(
        .damagedHeader, path: files.path(of: last), detail: "no file has an intact header")
    }
    return JournalTail(
      fileNumber: last, offset: scanner.offset, point: point, state: .damaged, fileTime: time)
  }

  /// The number of the next entry, for readers: it searches the file that is being written instead of scanning it.
  static func nextEntry(in files: JournalFiles) throws(JournalError) -> UInt64 {
    guard let last = try files.kept().numbers.last, var window = try files.open(last) else {
      return 0
    }
    if let segment = try ClosedSegment(before: window.size(), in: &window, number: last) {
      return segment.point.nextEntry
    }
    if var search = try EntrySearch(window, number: last, for: .max),
      let place = try search.place(), place.offset > 0
    {
      var scanner = FileScanner(search.window, number: last)
      do throws(JournalError) {
        try scanner.move(to: place)
        if try walk(&scanner) != .damaged, let point = scanner.whole.point {
          return point.nextEntry
        }
      } catch {
        guard error.isAboutBytes else { throw error }
      }
    }
    return try find(in: files)?.point.nextEntry ?? 0
  }

  private static func walk(_ scanner: inout FileScanner) throws(JournalError) -> State {
    while true {
      switch try scanner.next() {
      case .header, .frame, .end: break
      // Nothing is appended to a file whose last segment was not closed.
      case .nothing: return scanner.isClosed ? .clean : .unfinished
      case .broken: return try scanner.wasDurable() ? .damaged : .unfinished
      }
    }
  }

  /// A point above all segments and entries that the sound parts of the last file mention; nil when no file has a
  /// sound header.
  private static func pointAfterDamage(
    in files: JournalFiles, last: UInt64
  ) throws(JournalError) -> ChainPoint? {
    var point: ChainPoint?
    var nextEntry: UInt64 = 0
    var number = last
    while point == nil, number > 0, var window = try files.open(number) {
      if let header = try window.soundHeader(at: 0) { point = try header.start() }
      var search = try SoundSearch(window, after: 0) { _ in true }
      search: while let found = try search.next() {
        switch found.part {
        case .header(let header):
          if header.fields.segment > point?.segment ?? 0 { point = try header.start() }
        case .frame(let frame):
          // A frame with a greater number is refused by readers, so the writer must not continue from it.
          let first = min(frame.header.first, JournalFormat.maximumNumber)
          nextEntry = max(nextEntry, first + UInt64(frame.header.count))
        case .end(let end): nextEntry = max(nextEntry, end.nextEntry)
        case .tooCostly: break search
        }
      }
      number -= 1
    }
    guard var found = point else { return nil }
    found.nextEntry = max(nextEntry, found.nextEntry)
    return found
  }
}
