import Foundation

/// The order in which a writer writes, synchronizes and names the files of a journal, from strace's output.
struct JournalOrder {
  /// The breaches of rules of Spec/journal.md, section 8; none in a right order.
  private(set) var violations: [String] = []
  /// The batches, ends and headers that were written to files with a name.
  private(set) var writeCount = 0
  private(set) var namedFileCount = 0
  private(set) var removedFileCount = 0
  /// The files with bytes that are not synchronized.
  private var dirty: Set<String> = []
  private var synchronized: Set<String> = []
  /// True when a name was given that is not durable yet.
  private var hasNewName = false
  /// True when the record of removed files was replaced, and its name is durable.
  private var isRemovalRecorded = false
  private var isRecordReplaced = false

  /// Takes the lines of calls with `-y`, which shows the path of each descriptor.
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
      // A batch is synchronized before the next one is begun.
      if isJournal, dirty.contains(path) { violations.append("\(path) written twice") }
      if isJournal, hasNewName { violations.append("\(path) written before names are durable") }
      if isJournal { writeCount += 1 }
      dirty.insert(path)
      synchronized.remove(path)
    case "fdatasync", "fsync":
      dirty.remove(path)
      synchronized.insert(path)
      if isJournal || path.hasSuffix(".sealtmp") { return }
      hasNewName = false
      isRemovalRecorded = isRemovalRecorded || isRecordReplaced
    case "renameat2", "renameat":
      if !dirty.isEmpty { violations.append("a name is given before \(dirty) is synchronized") }
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
