import BenchmarkHarness
import CPeers
import Foundation

/// A program that is run repeatedly, from its start to its end.
enum WholeProcess {
  /// Runs a program at a path, without its output.
  ///
  /// - Returns: Its peak memory, in bytes.
  @discardableResult
  static func run(_ path: String, _ arguments: [String]) throws -> Int {
    let words = unsafe ([path] + arguments).map { word -> UnsafeMutablePointer<CChar>? in
      unsafe strdup(word)
    }
    defer { unsafe words.forEach { unsafe free($0) } }
    var pointers: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer($0) }
    unsafe pointers.append(nil)
    var peak: Int64 = 0
    let status = unsafe keepsake_peer_run(pointers, &peak)
    try check(status == 0, "\(path) ended with status \(status).")
    return Int(peak)
  }
}

/// Programs that are not part of the package, and may be missing.
enum OtherProgram {
  /// The path of a program on the search path; nil if it is not installed.
  static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// The `age` command.
enum Age {
  static let path = OtherProgram.path(of: "age")
  static let keyGeneratorPath = OtherProgram.path(of: "age-keygen")

  static var isInstalled: Bool { path != nil && keyGeneratorPath != nil }
}
