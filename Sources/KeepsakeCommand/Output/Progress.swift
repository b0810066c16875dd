import Foundation
import Keepsake

/// The progress of a long operation, in one line on a terminal and nowhere else.
final class Progress {
  private static let interval = Duration.milliseconds(100)
  private let title: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var lastDrawn = ContinuousClock.now
  private var isDrawn = false

  /// Begins an operation with a title such as "Sealing".
  init(_ title: String, quiet: Bool) {
    self.title = title
    isShown = !quiet && isatty(STDERR_FILENO) == 1
  }

  /// Receives the progress of an operation, and returns false to stop it when a signal asks the process to end.
  func observe(_ progress: SealProgress) -> Bool {
    if Interruption.isRequested { return false }
    advance(to: progress.completedByteCount, of: progress.totalByteCount)
    return true
  }

  /// Shows the number of bytes that are done, and the total if it is known.
  func advance(to done: Int, of total: Int?) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - lastDrawn >= Self.interval else { return }
    lastDrawn = now
    isDrawn = true
    write("\r\(title)  " + Self.text(of: done, total, after: now - start) + "\u{1B}[K")
  }

  /// Clears the line.
  func finish() {
    if isDrawn { write("\r\u{1B}[K") }
    isDrawn = false
  }

  /// The number of bytes that are done, the rate, and the time for the rest at that rate.
  static func text(of done: Int, _ total: Int?, after time: Duration) -> String {
    let (whole, parts) = time.components
    let rate = Double(done) / max(Double(whole) + Double(parts) / 1e18, 1e-9)
    guard let total else { return "\(ByteCount.text(done)), \(ByteCount.text(rate))/s" }
    let percent = total == 0 ? 100 : Int(Double(done) / Double(total) * 100)
    let text =
      "\(ByteCount.text(done)) of \(ByteCount.text(total)), \(percent) %, \(ByteCount.text(rate))/s"
    guard rate > 0 else { return text }
    let rest = Int(min(Double(total - done) / rate, 1e9).rounded(.up))
    return text + (rest < 60 ? ", \(rest) s left" : ", \(rest / 60) min \(rest % 60) s left")
  }

  private func write(_ text: String) {
    // A failure is ignored: a terminal that is gone needs no progress.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// Numbers of bytes for people.
enum ByteCount {
  static func text(_ count: Int) -> String { text(Double(count)) }

  static func text(_ count: Double) -> String {
    guard count >= 1_024 else { return count == 1 ? "1 byte" : "\(Int(count)) bytes" }
    var (value, unit) = (count / 1_024, "KiB")
    for next in ["MiB", "GiB", "TiB"] where value >= 1_024 { (value, unit) = (value / 1_024, next) }
    let tenths = Int((min(value, 1e15) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
