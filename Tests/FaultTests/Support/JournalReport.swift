import Foundation
import Keepsake

/// The appends of a script, as the subject reported them before it ended.
struct JournalReport {
  /// The number under which each acknowledged entry is stored, by its seed.
  private(set) var acknowledged: [UInt8: UInt64] = [:]
  /// The seeds of entries whose append threw an error that says that they are not there.
  private(set) var absent: Set<UInt8> = []
  /// The codes of errors, of appends and of other steps.
  private(set) var codes: [String] = []
  private(set) var pins: [JournalPin] = []
  /// True when the script ran to its end.
  let hasReturned: Bool

  init(_ output: String) throws {
    hasReturned = output.contains("\nreturned\n")
    // A process that was killed may have left half a line.
    for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      switch words.first {
      case "acknowledged":
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        for index in 0..<numbers[2] {
          acknowledged[UInt8(clamping: numbers[1] + index)] = numbers[0] + index
        }
      case "threw":
        let numbers = words.dropFirst().compactMap { UInt8($0) }
        let seeds = numbers[0]..<numbers[0] + numbers[1]
        if words[3] != "durabilityUnknown" { absent.formUnion(seeds) }
        codes.append(String(words[3]))
      // A pin is refused after an append that threw.
      case "refused" where words[1] != "pin": codes.append(String(words[2]))
      case "pin":
        pins.append(try JournalPin(bytes: Array(Data(base64Encoded: String(words[1])) ?? Data())))
      default: continue
      }
    }
  }

  /// The ways in which a journal breaks the promises of this report; none when it keeps them.
  ///
  /// `start` has the entries from before the script.
  func violations(
    in found: JournalFinding, after start: JournalFinding, removes: Bool
  ) -> [String] {
    var violations: [String] = []
    if !found.wrong.isEmpty { violations.append("entries \(found.wrong) are wrong") }
    let seeds = Dictionary(
      found.entries.map { ($0.number, $0.seed) }, uniquingKeysWith: { first, _ in first })
    if seeds.count != found.entries.count { violations.append("a number is there twice") }
    let first = found.entries.first?.number ?? .max
    for entry in start.entries where seeds[entry.number] != entry.seed {
      if removes, entry.number < first { continue }
      violations.append("entry \(entry.number) of the start is missing")
    }
    for (seed, number) in acknowledged where seeds[number] != seed {
      if removes, number < first { continue }
      violations.append("acknowledged entry \(number) is missing")
    }
    let next = (start.entries.last?.number).map { $0 + 1 } ?? 0
    let added = found.entries.filter { $0.number >= next }
    if Set(added.map(\.seed)).count != added.count { violations.append("an entry is there twice") }
    for entry in added where absent.contains(entry.seed) {
      violations.append("entry \(entry.number) is there though its append failed")
    }
    for (entry, later) in zip(added, added.dropFirst()) where later.number != entry.number + 1 {
      violations.append("there is a gap before entry \(later.number)")
    }
    return violations
  }
}
