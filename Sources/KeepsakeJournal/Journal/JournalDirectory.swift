public import KeepsakeFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One file of a journal.
public struct JournalFile: Hashable, Sendable {
  /// The number of the file, from 1.
  public let number: UInt64
  /// The path of the file.
  public let path: String
  /// The size of the file in bytes.
  public let byteCount: Int
  /// The number of the first entry of the file.
  public let firstEntry: UInt64
  /// The time at which the file began, by the clock of its writer.
  public let date: Date
}

/// The result of verifying every byte of a journal.
public struct JournalVerdict: Hashable, Sendable {
  /// The pin of the journal, to be kept elsewhere.
  public let pin: JournalPin
  /// The number of entries, including those in removed files; the next entry will have this number.
  public let count: UInt64
}

/// The files of a journal, read in order as one; for programs that do not append.
///
/// Reading takes no lock: it works while a writer appends, on a copy, and in a directory that cannot be written.
public struct JournalDirectory: Sendable {
  /// The path of the directory; the address of a journal in an object store.
  public var path: String { list.directory }
  private let keys: JournalKeys
  private let index = JournalIndex()
  private let list: JournalFiles

  /// Names the journal of a directory, which an identity of the keys can read; nothing is read yet.
  public init(_ path: some FilePathConvertible, with keys: JournalKeys) {
    list = JournalFiles(path.filePath)
    self.keys = keys
  }

  /// Names a journal at an address; nothing is read yet.
  package init(at address: String, in storage: any JournalStorage, with keys: JournalKeys) {
    list = JournalFiles(address, in: storage)
    self.keys = keys
  }

  /// Lists the files of the journal in order, none when the journal does not exist; takes no key.
  ///
  /// - Throws: ``JournalError`` when a file is missing, or its header is damaged.
  public func files() throws(JournalError) -> [JournalFile] {
    var files: [JournalFile] = []
    for number in try list.kept().numbers {
      guard var window = try list.open(number) else { continue }
      let fields = try window.header(at: 0).fields
      files.append(
        JournalFile(
          number: number, path: list.path(of: number), byteCount: Int(clamping: try window.size()),
          firstEntry: fields.firstEntry,
          date: Date(timeIntervalSince1970: Double(fields.time) / 1_000)))
    }
    return files
  }

  /// A file that no longer grows, because a later file follows it.
  package struct ClosedFile: Hashable, Sendable {
    package let number: UInt64
    package let name: String
    package let path: String
  }

  /// Lists the closed files, and reads the record of those that were removed; takes no key.
  package func closedFiles() throws(JournalError) -> (files: [ClosedFile], retention: [UInt8]?) {
    let list = list
    let (numbers, retention) = try list.kept()
    let files = numbers.dropLast().map {
      ClosedFile(number: $0, name: JournalFiles.name(of: $0), path: list.path(of: $0))
    }
    return (files, try retention?.bytes())
  }

  package static func name(ofFile number: UInt64) -> String { JournalFiles.name(of: number) }

  /// The number of the file with a name; nil for all other names.
  package static func number(ofFile name: String) -> UInt64? { JournalFiles.number(named: name) }

  /// The identifier of the journal, as the first header of a file states it; nil when the file does not exist.
  package func journalID(ofFile number: UInt64) throws(JournalError) -> [UInt8]? {
    try list.firstHeader(of: number)?.fields.journalID
  }

  /// The directory of a journal, from its own path or the path of one of its files; nil for other paths.
  package static func directory(at path: String) throws(JournalError) -> String? {
    let kind = try withJournalErrors { () throws(FileError) in try DurableFile.kind(of: path) }
    switch kind {
    case .directory: return try JournalFiles(path).numbers().isEmpty ? nil : path
    case .regular:
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard JournalFiles.number(named: String(parts.last ?? "")) != nil else { return nil }
      let directory = parts.dropLast().joined(separator: "/")
      return directory.isEmpty ? (parts.count == 1 ? "." : "/") : directory
    default: return nil
    }
  }

  /// Counts the entries of the journal as ``Journal/count()`` does; takes no key.
  ///
  /// - Throws: ``JournalError`` when a file is missing or cannot be read.
  public func count() throws(JournalError) -> UInt64 {
    try JournalTail.nextEntry(in: list)
  }

  /// The entries of the journal, in order.
  ///
  /// - Parameters:
  ///   - form: The conversion of the entries; ``JournalForm/records`` returns them as stored.
  ///   - first: The number of the first entry.
  ///   - date: The earliest time of the entries, by the clock of their writers; nil for all times.
  ///   - following: True to wait at the end for new entries, also those of other processes. A journal in an object
  ///     store gets no entries while it is open, so its sequence ends.
  ///   - skippingDamage: True to continue after damage; ``JournalEntry/missingBefore`` then says how many entries are
  ///     missing.
  ///   - verifyingChain: False to read faster: each entry is authenticated, but the chain between entries is checked
  ///     only by ``JournalDirectory/verify(expecting:)``.
  /// - Returns: The sequence; each iteration reads anew.
  public func entries<Value>(
    as form: JournalForm<Value>, from first: UInt64 = 0, since date: Date? = nil,
    following: Bool = false, skippingDamage: Bool = false, verifyingChain: Bool = true
  ) -> JournalEntries<Value> {
    let options = ReadingOptions(
      from: first, since: date?.milliseconds, skipsDamage: skippingDamage,
      verifiesChain: verifyingChain)
    return JournalEntries(
      reader: JournalReader(list, keys: keys, options: options, index: index), form: form,
      isFollowing: following && list.storage.grows)
  }

  /// Reads one entry; nil when the form skips it.
  ///
  /// - Throws: ``JournalError``: `entryAbsent` when there is no such entry, `damaged` and others.
  public func entry<Value>(
    _ number: UInt64, as form: JournalForm<Value>
  ) throws(JournalError) -> JournalEntry<Value>? {
    guard let entry = try stored(from: number, limit: 1).first, entry.number == number else {
      throw JournalError(.entryAbsent, path: path, entry: number)
    }
    return try JournalEntry(entry, as: form, in: path)
  }

  /// Reads the last entries, at most `count`, in order, without those that the form skips.
  ///
  /// - Throws: ``JournalError`` when the journal is damaged there, or cannot be read.
  public func last<Value>(
    _ count: Int, as form: JournalForm<Value>
  ) throws(JournalError) -> [JournalEntry<Value>] {
    let (total, wanted) = (try self.count(), UInt64(clamping: count))
    var entries: [JournalEntry<Value>] = []
    for entry in try stored(from: total > wanted ? total - wanted : 0, limit: count) {
      if let entry = try JournalEntry(entry, as: form, in: path) { entries.append(entry) }
    }
    return entries
  }

  /// Reads the whole journal, verifies every byte and the chain, and compares it with the pin, if one is given.
  ///
  /// - Returns: The pin and the number of entries; nil when the journal has no files.
  /// - Throws: ``JournalError``: `damaged` with the first damaged place, `stalePin` when the journal does not
  ///   continue the one of the pin, and others.
  public func verify(expecting pin: JournalPin? = nil) throws(JournalError) -> JournalVerdict? {
    var reader = JournalReader(list, keys: keys, options: ReadingOptions(pin: pin))
    while case .entries = try reader.step() {}
    try reader.requirePin()
    guard let point = reader.point, let pin = JournalPin(point) else { return nil }
    return JournalVerdict(pin: pin, count: point.nextEntry)
  }

  private func stored(from first: UInt64, limit: Int) throws(JournalError) -> [FoundEntry] {
    var reader = JournalReader(
      list, keys: keys, options: ReadingOptions(from: first), index: index)
    var found: [FoundEntry] = []
    while found.count < limit, case .entries(let entries) = try reader.step() {
      found += entries.prefix(limit - found.count)
    }
    return found
  }
}
