import Foundation

/// The order in which a writer writes, synchronizes and names the files of a journal, from strace's output.
struct JournalOrder {
  /// The breaches of rules of Spec/journal.md, section 8; none in a right order.
  private(set) var violations: [String] = []
  /// The batches, ends and headers that were written to files with a name.
  private(set) var writeCount = 0
  private(set) var namedFileCount = 0
  private(set) var removedFileCount = 0
  /// The files with bytes that are not synchronized, and the batch that these belong to; no batch for a header, an end
  /// and what is in other files.
  private var dirty: [String: Batch?] = [:]
  private var synchronized: Set<String> = []
  /// True when a name was given that is not durable yet.
  private var hasNewName = false
  /// True when the record of removed files was replaced, and its name is durable.
  private var isRemovalRecorded = false
  private var isRecordReplaced = false

  /// A batch of a segment: the mark of durability, which all its frames have and no other batch has.
  private struct Batch: Equatable {
    let mark: String

    /// The batch of a frame that is written; nil when the bytes begin no frame.
    init?(_ rest: String) {
      // Spec/journal.md, section 3: the mark of a frame is at 0, and that of durability at 40.
      let pattern = /^, "\\xb7\\x4b\\x4a\\x46(?:\\x..){36}((?:\\x..){8})/
      guard let frame = rest.prefixMatch(of: pattern) else { return nil }
      mark = String(frame.1)
    }
  }

  /// Reads the lines of calls with `-y -x -s 48`, which show the path of each descriptor and the bytes of a frame.
  init(_ lines: [Substring]) {
    for line in lines {
      guard let call = line.firstMatch(of: /^\d+ +(\w+)\(\d+<([^>]*)>(.*)$/) else { continue }
      take(String(call.1), String(call.2), String(call.3))
    }
  }

  private mutating func take(_ name: String, _ path: String, _ rest: String) {
    let isJournal = path.hasSuffix(".journal")
    switch name {
    case "pwrite64":
      // A batch is synchronized before the next one is begun; it may take several writes.
      let batch = Batch(rest)
      if isJournal, let unfinished = dirty[path], batch == nil || unfinished != batch {
        violations.append("\(path) written before the batch before is synchronized")
      }
      if isJournal, hasNewName { violations.append("\(path) written before names are durable") }
      if isJournal { writeCount += 1 }
      dirty[path] = .some(batch)
      synchronized.remove(path)
    case "fdatasync", "fsync":
      dirty[path] = nil
      synchronized.insert(path)
      if isJournal || path.hasSuffix(".sealtmp") { return }
      hasNewName = false
      isRemovalRecorded = isRemovalRecorded || isRecordReplaced
    case "renameat2", "renameat":
      if !dirty.isEmpty {
        violations.append("a name is given before \(dirty.keys.sorted()) is synchronized")
      }
      hasNewName = true
      if rest.contains(#""retention""#) { isRecordReplaced = true }
      guard let number = rest.firstMatch(of: /"(\d{10})\.journal"/).flatMap({ Int($0.1) }) else {
        return
      }
      namedFileCount += 1
      if !rest.contains("RENAME_NOREPLACE") { violations.append("file \(number) may be replaced") }
      let before = String(format: "%@/%010d.journal", path, number - 1)
      if number > 1, !synchronized.contains(before) {
        violations.append("\(before) is not synchronized before the next file has its name")
      }
    case "unlinkat" where rest.contains(".journal"):
      removedFileCount += 1
      if !isRemovalRecorded { violations.append("\(rest) is removed before its record is durable") }
    default: return
    }
  }
}
