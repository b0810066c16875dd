import Foundation
import KeepsakeJournal
import KeepsakeSeal

/// A program that appends numbers until it is ended, and prints each one when it is durable.
///
/// Its arguments are the directory, the number of threads that append, and the length of the entries.
@main struct JournalSubject {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let threads = Int(arguments[2]), let length = Int(arguments[3])
    else { exit(64) }
    let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
    let journal = try Journal<[UInt8]>.open(
      at: arguments[1], for: .key(key), as: .bytes(),
      options: JournalOptions(rotation: JournalRotation(size: 200_000)))
    for thread in 1..<max(1, threads) {
      Thread.detachNewThread { append(to: journal, UInt8(clamping: thread), length) }
    }
    append(to: journal, 0, length)
  }

  private static func append(to journal: Journal<[UInt8]>, _ thread: UInt8, _ length: Int) {
    while true {
      do throws(JournalError) {
        let number = try journal.append([UInt8](repeating: thread, count: length))
        say("\(number) \(thread)")
      } catch {
        say("failed \(error.code.rawValue)")
        return
      }
    }
  }

  /// Prints a line in one write, so that a reader has whole lines only.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
