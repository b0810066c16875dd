import Foundation
import TestSupport
import Testing

/// The program of the article on screens, in a process of its own (Letters/Letters.swift).
private struct LettersProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the program.
  init(in directory: String) throws {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [folder, folder.deletingLastPathComponent()].map { $0.path + "/letters-sample" }
        .first(where: FileManager.default.isExecutableFile))
    let command = withDefaultSignals + [program, directory]
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // A process that does not end must not block the tests for ever.
    let process = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) {
      if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
  }

  /// The next line that the program prints; nil at its end.
  func line() throws -> String? {
    var bytes: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// The screens after a command, which are saved by then.
  func perform(_ command: String) throws -> String? {
    try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    return try line()
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The article on screens` {
  @Test func `All screens come back after SIGKILL, with the reply that is being typed`() throws {
    try withTemporaryDirectory { directory in
      let state = directory + "/state"
      var app = try LettersProcess(in: state)
      #expect(try app.line() == "List, selected: [] > sent: []")
      for command in ["open Lunch", "reply", "type Yes", "send", "reply"] {
        #expect(try app.perform(command) != nil)
      }
      let screens = try #require(try app.perform("type I come at"))
      #expect(
        screens
          == #"List, selected: ["Lunch"] > Letter: Lunch > Reply to Lunch: I come at, typing > sent: ["Yes"]"#
      )
      app.kill()

      app = try LettersProcess(in: state)
      #expect(try app.line() == screens)
      #expect(try app.perform("type  one")?.contains("I come at one, typing") == true)
      #expect(try app.perform("send")?.hasSuffix(#"sent: ["Yes", "I come at one"]"#) == true)
      app.kill()

      app = try LettersProcess(in: state)
      #expect(
        try app.line()
          == #"List, selected: ["Lunch"] > Letter: Lunch > sent: ["Yes", "I come at one"]"#)
      #expect(try app.perform("back")?.contains("Letter") == false)
      app.kill()
    }
  }
}
