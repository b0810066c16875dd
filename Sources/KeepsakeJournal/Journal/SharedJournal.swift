import KeepsakeFiles

/// A journal that several processes append to in turn.
///
/// The caller holds the lock of the journal, at ``lockPath``, during each call, and releases it in between. The
/// segment stays open between turns until another writer appends. A call that throws drops the open segment and the
/// read position, so the next call starts from the files.
package struct SharedJournal {
  /// An entry as it was found.
  package struct Found<Entry: Sendable>: Sendable {
    package let number: UInt64
    /// The entry; nil when the form skips it.
    package let entry: Entry?
    /// The length of its content in bytes.
    package let byteCount: Int
  }

  /// Entries that can be appended.
  package struct Encoded {
    fileprivate let entries: EncodedEntries
    package var byteCount: Int { entries.bytes.count }
  }

  /// The end of a journal, as the directory shows it; each append changes it.
  package struct Extent: Hashable, Sendable {
    private let lastFile: UInt64
    private let version: FileVersion?

    fileprivate init(lastFile: UInt64, in files: JournalFiles) throws(JournalError) {
      self.lastFile = lastFile
      let path = files.path(of: max(1, lastFile))
      version = try withJournalErrors { () throws(FileError) in try DurableFile.version(of: path) }
    }
  }

  /// An open segment writer, and the end of the journal after its last call.
  private struct Open {
    var writer: SegmentWriter
    var extent: Extent
  }

  private let files: JournalFiles
  private var open: Open?
  private var reader: JournalReader?
  /// The number of files when the journal was last opened or files were removed, plus those begun since.
  package private(set) var fileCount = 0

  /// Names a journal; nothing is read yet.
  package init(_ directory: String) { files = JournalFiles(directory) }

  package var lockPath: String { files.lockPath }

  /// The identifier of the journal and the number of the next entry, as of the last call; nil without files.
  package var point: (journalID: [UInt8], nextEntry: UInt64)? {
    let point = if let open { open.writer.point } else { reader?.point }
    return point.map { ($0.journalID, $0.nextEntry) }
  }

  /// The end of the journal; takes no lock.
  package func extent() throws(JournalError) -> Extent {
    try Extent(lastFile: files.numbers().last ?? 0, in: files)
  }

  /// Drops the open segment and the read position.
  package mutating func forget() {
    open = nil
    reader = nil
  }

  /// Runs work, and drops the open segment and the read position when it throws.
  private mutating func forgettingOnError<Result>(
    _ work: (inout SharedJournal) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    do throws(JournalError) {
      return try work(&self)
    } catch {
      forget()
      throw error
    }
  }

  /// True when no other writer has appended since this one did; otherwise drops the open segment.
  package mutating func isAtEnd() -> Bool {
    guard let open else { return false }
    let next = files.path(of: open.writer.fileNumber + 1)
    let present = try? Extent(lastFile: open.writer.fileNumber, in: files)
    if present == open.extent, (try? DurableFile.kind(of: next)) == .absent,
      (try? open.writer.requireSameProcess()) != nil
    {
      return true
    }
    self.open = nil
    return false
  }

  /// Reads entries of other writers; none at the end of the journal; `number` must not decrease from call to call.
  package mutating func next<Entry>(
    from number: UInt64, with keys: JournalKeys, as form: JournalForm<Entry>
  ) throws(JournalError) -> [Found<Entry>] {
    try forgettingOnError { journal throws(JournalError) in
      try journal.read(from: number, with: keys, as: form)
    }
  }

  private mutating func read<Entry>(
    from number: UInt64, with keys: JournalKeys, as form: JournalForm<Entry>
  ) throws(JournalError) -> [Found<Entry>] {
    var reader =
      self.reader ?? JournalReader(files, keys: keys, options: ReadingOptions(from: number))
    while true {
      guard case .entries(let entries) = try reader.step() else {
        self.reader = reader
        return []
      }
      // Skips the entries that this writer appended.
      let new = entries.filter { $0.number >= number }
      if new.isEmpty { continue }
      self.reader = reader
      var found: [Found<Entry>] = []
      for entry in new {
        let decoded = try JournalEntry(entry, as: form, in: files.directory)
        found.append(
          Found(
            number: entry.number, entry: decoded?.value,
            byteCount: entry.record.content.count))
      }
      return found
    }
  }

  /// Opens the journal for appending, unless it is open; a new journal gets the identifier of 16 bytes.
  package mutating func open(
    with keys: JournalKeys, options: JournalOptions, journalID: [UInt8]
  ) throws(JournalError) {
    if open != nil { return }
    try keys.requireWritable()
    var options = options
    options.journalID = journalID
    let (files, chosen) = (files, options)
    try forgettingOnError { journal throws(JournalError) in
      let writer = try SegmentWriter(files, keys: keys, options: chosen)
      let extent = try Extent(lastFile: writer.fileNumber, in: files)
      journal.open = Open(writer: writer, extent: extent)
      journal.fileCount = try files.kept().numbers.count
    }
  }

  /// True when the journal is open for appending.
  package var isOpen: Bool { open != nil }

  /// Encodes entries; throws `entryTooLarge` or `entryNotStorable` when that fails.
  package func encoded<Entry>(
    _ entries: [Entry], as form: JournalForm<Entry>
  ) throws(JournalError) -> Encoded {
    Encoded(entries: try form.encoded(entries, at: WallClock.milliseconds, in: files.directory))
  }

  /// Appends entries to the open journal, and returns the number of the first one when all are durable.
  @discardableResult
  package mutating func append(_ entries: Encoded) throws(JournalError) -> UInt64 {
    try write { writer throws(JournalError) in try writer.append(entries.entries) }
  }

  /// Begins a new file of the open journal at once, unless the journal has no files yet.
  package mutating func beginFile() throws(JournalError) {
    try write { writer throws(JournalError) in try writer.beginFile() }
  }

  private mutating func write<Result>(
    _ work: (inout SegmentWriter) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try forgettingOnError { journal throws(JournalError) in
      guard var writing = journal.open else {
        throw JournalError(.closed, path: journal.files.directory)
      }
      journal.open = nil
      let fileBefore = writing.writer.fileNumber
      let result = try work(&writing.writer)
      let fileNumber = writing.writer.fileNumber
      writing.extent = try Extent(lastFile: fileNumber, in: journal.files)
      journal.fileCount += Int(clamping: fileNumber - fileBefore)
      journal.open = writing
      return result
    }
  }

  /// Removes the files of the open journal whose entries all have numbers below `entry`; the newest file stays.
  package mutating func removeFiles(before entry: UInt64) throws(JournalError) {
    try forgettingOnError { journal throws(JournalError) in
      guard let writer = journal.open?.writer else {
        throw JournalError(.closed, path: journal.files.directory)
      }
      if let count = try writer.removeFiles(before: entry) { journal.fileCount = count }
    }
  }

  /// True when the journal has no files yet; true also when the directory is absent.
  package func isAbsent() throws(JournalError) -> Bool { try files.numbers().isEmpty }
}
