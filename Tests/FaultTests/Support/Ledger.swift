import Foundation

/// Counts the faults and their outcomes.
struct Ledger {
  private let title: String
  private var counts: [String: Int] = [:]
  private var notes: [String] = []
  private var total = 0

  init(_ title: String) { self.title = title }

  mutating func count(_ outcome: String) {
    counts[outcome, default: 0] += 1
    total += 1
  }

  /// Adds a number that is not an outcome.
  mutating func note(_ name: String, _ count: Int) { notes.append("\(count) \(name)") }

  mutating func count(_ outcome: Outcome) { count(outcome.rawValue) }

  /// The count of each outcome.
  var outcomes: [String: Int] { counts }

  subscript(outcome: Outcome) -> Int { counts[outcome.rawValue] ?? 0 }

  /// Adds a line to the file that `.ci/faults` prints at its end.
  func close() throws {
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let line = "\(title): \(total): \((parts + notes).joined(separator: ", "))\n"
    guard let path = ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_LEDGER"] else {
      return print(line, terminator: "")
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.utf8))
    try file.close()
  }
}

/// The state after a fault.
enum Outcome: String {
  case old, new
  /// A step that the specification allows a crash to leave, such as a file under both names.
  case between
}
