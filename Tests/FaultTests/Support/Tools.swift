import Foundation

/// The C programs of `Tools`, compiled once.
enum Tools {
  static let powerCut = Result { try compile("power-cut", []) }
  static let noExchange = Result { try compile("no-exchange", ["-shared", "-fPIC"]) }
  static let stopAt = Result { try compile("stop-at", []) }
  static let forkAt = Result { try compile("fork-at", ["-shared", "-fPIC"]) }
  static let shortTransfers = Result { try compile("short-transfers", ["-shared", "-fPIC"]) }

  private static func compile(_ name: String, _ options: [String]) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tools/\(name).c").path
    let program =
      FileManager.default.temporaryDirectory.path + "/keepsake-\(name)-\(getpid())"
    let command = try Command.run(
      ["cc", "-O1", "-Wall", "-Werror"] + options + ["-o", program, source])
    guard command.status == 0 else { throw FaultFailure("\(name): \(command.error)") }
    return program
  }
}
