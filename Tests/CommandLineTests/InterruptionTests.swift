import Foundation
import TestSupport
import Testing

@Suite struct `A signal` {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal in the middle of a stream leaves the old file, and no other`(
    signal: Int32
  ) throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.write("sealed", "the old one")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        withDefaultSignals + [try Tool.url.path, "seal", "-", "-k", "key", "-o", "sealed"]
      process.currentDirectoryURL = place.directory
      let (input, error) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardError = error
      try process.run()
      // These are more bytes than all pipes and buffers hold: once they are taken, the tool has begun, and waits
      // for more.
      try input.fileHandleForWriting.write(contentsOf: Data(count: 32 << 20))
      // Sends the signal twice, as terminals and other programs do.
      #expect(kill(process.processIdentifier, signal) == 0)
      _ = kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == signal)
      #expect(try place.read("sealed") == Data("the old one".utf8))
      #expect(try place.names() == ["key", "sealed"])
    }
  }
}
