internal import Foundation
internal import Keepsake

/// Performs the steps of a script on a journal, and prints the outcome of each append.
///
/// Steps are separated by commas:
///
/// - `open`, `close`, `rotate`, `pin` and `wait` are calls; `begin` begins a new file at once.
/// - `read` counts the entries that a reader finds.
/// - `700` appends an entry of 700 bytes, and `3x700` three entries in one call.
/// - `4x3x700` starts four threads, which append three entries each, in calls of their own.
///
/// A step that throws is reported, and the next step follows. Without an open journal the script ends.
struct JournalOperation {
  private let path: String
  private let steps: [Substring]
  private let keys: JournalKeys
  private let options: JournalOptions
  private let firstSeed: UInt8

  /// Reads options from arguments such as `--size=1500`.
  init(path: String, script: String, firstSeed: Int, arguments: [String]) throws {
    self.path = path
    self.firstSeed = UInt8(clamping: firstSeed)
    steps = script.split(separator: ",")
    keys = .key(
      try SealKey.read(at: ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_KEY"] ?? ""))
    func number(_ name: String) -> Int? {
      arguments.compactMap { $0.hasPrefix("--\(name)=") ? Int($0.dropFirst(name.count + 3)) : nil }
        .first
    }
    options = JournalOptions(
      patience: .milliseconds(number("patience") ?? 0),
      rotation: JournalRotation(
        size: number("size"), age: number("age").map { .seconds($0) }),
      retention: JournalRetention(
        files: number("files"), age: number("keep-age").map { .seconds($0) }))
  }

  func run() throws {
    var journal: Journal<[UInt8]>?
    var seed = firstSeed
    for step in steps {
      do throws(JournalError) {
        try perform(step, on: &journal, &seed)
      } catch {
        FaultSubject.say("refused \(step) \(error.code) \(error.sealError?.systemError ?? 0)")
      }
      if journal == nil, step == "open" { return }
    }
  }

  private func perform(
    _ step: Substring, on journal: inout Journal<[UInt8]>?, _ seed: inout UInt8
  ) throws(JournalError) {
    if step == "open" {
      journal = try Journal<[UInt8]>.open(at: path, for: keys, as: .bytes(), options: options)
      return
    }
    if step == "read" {
      let directory = JournalDirectory(path, with: keys)
      let found = try directory.last(.max, as: JournalForm<[UInt8]>.bytes())
      FaultSubject.say("read \(found.count)")
      return
    }
    guard let open = journal else { return }
    switch step {
    case "close":
      journal = nil
      try open.close()
    case "rotate": try open.rotate()
    case "begin": try open.beginFile()
    case "pin":
      guard let pin = try open.pin() else { return }
      FaultSubject.say("pin \(Data(pin.bytes).base64EncodedString())")
    case "wait": FaultSubject.waitForLine()
    default: append(step.split(separator: "x").compactMap { Int($0) }, to: open, &seed)
    }
  }

  private func append(_ numbers: [Int], to journal: Journal<[UInt8]>, _ seed: inout UInt8) {
    guard let length = numbers.last else { return }
    switch numbers.count {
    case 1: append(1, length, to: journal, seed)
    case 2: append(numbers[0], length, to: journal, seed)
    default:
      let (count, first) = (numbers[1], seed)
      let done = DispatchSemaphore(value: 0)
      for thread in 0..<numbers[0] {
        Thread.detachNewThread {
          for index in 0..<count {
            append(1, length, to: journal, first + UInt8(clamping: thread * count + index))
          }
          done.signal()
        }
      }
      for _ in 0..<numbers[0] { done.wait() }
    }
    seed += UInt8(clamping: numbers.dropLast().reduce(1, *))
  }

  /// Appends entries in one call, and says their first number, their first seed and how many they are.
  private func append(_ count: Int, _ length: Int, to journal: Journal<[UInt8]>, _ seed: UInt8) {
    let entries = (0..<count).map { Self.entry(seed + UInt8(clamping: $0), length) }
    do throws(JournalError) {
      let numbers = try journal.append(contentsOf: entries)
      FaultSubject.say("acknowledged \(numbers.lowerBound) \(seed) \(count)")
    } catch {
      let system = error.sealError?.systemError ?? 0
      FaultSubject.say("threw \(seed) \(count) \(error.code) \(system)")
    }
  }

  /// An entry that states its length, so that a test sees whether it is whole.
  private static func entry(_ seed: UInt8, _ length: Int) -> [UInt8] {
    let stated = (0..<3).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return [seed] + stated + [UInt8](repeating: seed, count: max(0, length - 4))
  }
}
