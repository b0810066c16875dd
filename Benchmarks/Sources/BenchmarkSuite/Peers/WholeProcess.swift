import BenchmarkHarness
import CPeers
import Foundation

/// A program that is run again and again, from its start to its end.
final class WholeProcess {
  /// The most memory that one of the runs had, in bytes.
  private(set) var peakMemory = 0

  /// Runs a program at a path, without its output.
  func run(_ path: String, _ arguments: [String]) throws {
    let words = unsafe ([path] + arguments).map { word -> UnsafeMutablePointer<CChar>? in
      unsafe strdup(word)
    }
    defer { for unsafeword in unsafe words { unsafe free(word) } }
    var pointers: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer($0) }
    unsafe pointers.append(nil)
    var peak: Int64 = 0
    let status = unsafe keepsake_peer_run(pointers, &peak)
    try check(status == 0, "\(path) ended with status \(status).")
    peakMemory = max(peakMemory, Int(peak))
  }
}
