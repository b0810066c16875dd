public import KeepsakeFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An encrypted list of entries that grows at its end, and loses no entry that was appended.
///
/// ```swift
/// let journal = try await Journal<Event>.open(
///   at: directory + "/events", for: .key(key))
/// try await journal.append(event)
/// for try await entry in journal.entries(from: 10) {
///   print(entry.number, entry.value)
/// }
/// ```
///
/// A journal is a directory of files (Spec/journal.md). One writer has it open at a time; any number of
/// ``JournalDirectory``s read it meanwhile, in this process and others. A program that has only recipients can append,
/// but cannot read what it wrote.
///
/// A call that appends returns when its entries are durable. Calls at the same time share one write to the disk. When
/// a call throws, none of its entries is in the journal, unless the code is `durabilityUnknown`. When the process is
/// killed during a call, some of its entries may be there, from the first one on.
///
/// In asynchronous functions Swift chooses the `async` overloads, which block neither the caller's actor nor the
/// cooperative thread pool.
public final class Journal<Entry: Sendable>: Sendable {
  /// The journal for reading, with the same keys.
  public let directory: JournalDirectory
  @usableFromInline let writer: JournalWriter
  @usableFromInline let form: JournalForm<Entry>
  @usableFromInline let clock: @Sendable () -> Int64

  private init(
    at path: String, for keys: JournalKeys, as form: JournalForm<Entry>, options: JournalOptions
  ) throws(JournalError) {
    directory = JournalDirectory(path, with: keys)
    writer = try JournalWriter(JournalFiles(path), keys: keys, options: options)
    self.form = form
    clock = options.clock
  }

  /// Opens a journal for appending; a missing directory is made.
  ///
  /// Nothing is written before the first entry. The keys are those of the recipients who can read the entries, with a
  /// secret if this program reads them. The journal is open until it is closed or released.
  ///
  /// - Throws: ``JournalError``: `journalInUse` when another writer has it open, `invalidKeys`, and the codes of
  ///   files.
  public static func open(
    at path: some FilePathConvertible, for keys: JournalKeys, as form: JournalForm<Entry>,
    options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> Journal {
    try Journal(at: path.filePath, for: keys, as: form, options: options)
  }

  /// Opens a journal for appending as the synchronous overload does, on another thread; a missing one is made.
  nonisolated(nonsending) public static func open(
    at path: some FilePathConvertible, for keys: JournalKeys, as form: JournalForm<Entry>,
    options: JournalOptions = JournalOptions()
  ) async throws(JournalError) -> Journal {
    let path = path.filePath
    return try await onThread { () throws(JournalError) in
      try Journal(at: path, for: keys, as: form, options: options)
    }
  }

  /// Appends an entry, of at most 16 MiB with its type name, and returns its number when it is durable.
  ///
  /// - Throws: ``JournalError``: `entryTooLarge`, `entryNotStorable`, `noSpace` and other codes of files: the entry
  ///   is not in the journal. `durabilityUnknown`: it may be there.
  @discardableResult
  public func append(_ entry: Entry) throws(JournalError) -> UInt64 {
    try append(contentsOf: [entry]).lowerBound
  }

  /// Appends an entry as the synchronous overload does, and returns its number; another thread writes it.
  @discardableResult
  nonisolated(nonsending) public func append(_ entry: Entry) async throws(JournalError) -> UInt64 {
    try await append(contentsOf: [entry]).lowerBound
  }

  /// Appends entries, at least one, in one write, and returns when all are durable.
  ///
  /// - Returns: The numbers of the entries, which follow each other.
  /// - Throws: ``JournalError``, as `append(_:)` does.
  @discardableResult
  @inlinable public func append(
    contentsOf entries: [Entry]
  ) throws(JournalError) -> Range<UInt64> {
    let first = try writer.append(form.encoded(entries, at: clock(), in: directory.path))
    return first..<first + UInt64(entries.count)
  }

  /// Appends entries in one write as the synchronous overload does, and returns their numbers; another thread writes.
  @discardableResult
  @inlinable nonisolated(nonsending) public func append(
    contentsOf entries: [Entry]
  ) async throws(JournalError) -> Range<UInt64> {
    let first = try await writer.append(form.encoded(entries, at: clock(), in: directory.path))
    return first..<first + UInt64(entries.count)
  }
}

// Reading, which may return entries that are being appended before they are durable.
extension Journal {
  /// The entries of the journal, in order.
  ///
  /// - Parameters:
  ///   - first: The number of the first entry.
  ///   - date: The earliest time of the entries, by the clock of their writers; nil for all times.
  ///   - following: True to wait at the end for new entries, also those of other processes.
  ///   - skippingDamage: True to continue after damage; ``JournalEntry/missingBefore`` then says how many entries are
  ///     missing.
  ///   - verifyingChain: False to read faster: each entry is authenticated, but the chain between entries is checked
  ///     only by ``JournalDirectory/verify(expecting:)``.
  /// - Returns: The sequence; each iteration reads anew.
  public func entries(
    from first: UInt64 = 0, since date: Date? = nil, following: Bool = false,
    skippingDamage: Bool = false, verifyingChain: Bool = true
  ) -> JournalEntries<Entry> {
    directory.entries(
      as: form, from: first, since: date, following: following, skippingDamage: skippingDamage,
      verifyingChain: verifyingChain)
  }

  /// Counts the entries of the journal, including those in removed files; the next entry will have this number.
  ///
  /// - Throws: ``JournalError`` when a file is missing or cannot be read.
  public func count() throws(JournalError) -> UInt64 { try directory.count() }

  /// Reads one entry; nil when the form skips it.
  ///
  /// - Throws: ``JournalError``: `entryAbsent` when there is no such entry, `damaged` and others.
  public func entry(_ number: UInt64) throws(JournalError) -> JournalEntry<Entry>? {
    try directory.entry(number, as: form)
  }

  /// Reads the last entries, at most `count`, in order, without those that the form skips.
  ///
  /// - Throws: ``JournalError`` when the journal is damaged there, or cannot be read.
  public func last(_ count: Int) throws(JournalError) -> [JournalEntry<Entry>] {
    try directory.last(count, as: form)
  }
}

extension Journal {
  /// Closes the current file: the next entry begins a new one.
  ///
  /// - Throws: ``JournalError`` when the file cannot be closed, or the journal is closed.
  public func rotate() throws(JournalError) { try writer.rotate(atOnce: false) }

  /// Begins a new file at once, for a program that appends nothing and closes the journal right after.
  package func beginFile() throws(JournalError) { try writer.rotate(atOnce: true) }

  /// Makes a pin of the durable part of the journal, to be kept elsewhere; nil when nothing was appended yet.
  ///
  /// - Throws: ``JournalError``: `closed`; `durabilityUnknown` when the last file may lose its name in a power cut, until
  ///   an entry is appended.
  public func pin() throws(JournalError) -> JournalPin? { try writer.pin() }

  /// Closes the journal, so that another writer can open it; entries that were appended stay durable.
  ///
  /// A journal that is released is closed too, but its errors are lost.
  ///
  /// - Throws: ``JournalError`` when the end of the segment cannot be written.
  public func close() throws(JournalError) { try writer.close() }
}

// Entries that are `Codable` need no form.
extension Journal where Entry: Codable {
  /// Opens a journal of `Codable` entries for appending, as `open(at:for:as:options:)` does; a missing one is made.
  public static func open(
    at path: some FilePathConvertible, for keys: JournalKeys,
    options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> Journal {
    try open(at: path, for: keys, as: .codable(), options: options)
  }

  /// Opens a journal of `Codable` entries for appending, as `open(at:for:as:options:)` does, on another thread.
  nonisolated(nonsending) public static func open(
    at path: some FilePathConvertible, for keys: JournalKeys,
    options: JournalOptions = JournalOptions()
  ) async throws(JournalError) -> Journal {
    try await open(at: path, for: keys, as: .codable(), options: options)
  }
}
