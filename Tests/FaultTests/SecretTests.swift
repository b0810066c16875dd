import Foundation
import Testing

@testable import KeepsakeSeal

extension FaultSuite {
  // Row 29 of the study's catalogue.
  @Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem")))
  struct `The memory of a process` {
    /// A subject that waits at some point, to be looked at.
    private final class Waiting {
      let process = Process()
      private let (input, output) = (Pipe(), Pipe())
      private var text = ""

      init(_ arguments: [String], in scene: Scene) throws {
        process.executableURL = URL(fileURLWithPath: try Scene.subject)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
          .merging(scene.environment) { _, new in new }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
      }

      func waits(after line: String) throws {
        while !text.contains(line) {
          let data = output.fileHandleForReading.availableData
          try #require(!data.isEmpty, "ended: \(text)")
          text += String(decoding: data, as: UTF8.self)
        }
      }

      func goOn() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

      deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
      }
    }

    /// All secrets of the sealed file at `path`, and both halves of each.
    private func secrets(of path: String, key: SealKey) throws -> [String: [UInt8]] {
      let source = try SealedSource(path: path)
      let header = try source.header(policy: .default)
      let dataKey = try header.unlock([.key(key)], policy: .default).dataKey
      let schedule = KeySchedule(
        dataKey: dataKey, chunkSize: header.preamble.chunkSize, fileID: header.preamble.fileID,
        publicMetadata: header.publicMetadata, context: [])
      let slot = header.slots[0]
      var label: [UInt8] = []
      label.appendLengthPrefixed(Array("keepsake.seal/slot-wrap".utf8))
      let wrappingKey = try Blake2b.derive(
        label + slot.prefix + header.preamble.fileID, key: key.secret)
      var secrets: [String: [UInt8]] = [:]
      for (name, secret) in [
        ("key", key.secret), ("data key", dataKey), ("wrapping key", wrappingKey),
        ("payload key", try schedule.payloadKey()), ("metadata key", try schedule.metadataKey()),
      ] {
        secrets[name] = secret.publicBytes(0..<32)
        secrets[name + ", first half"] = secret.publicBytes(0..<16)
        secrets[name + ", second half"] = secret.publicBytes(16..<32)
      }
      return secrets
    }

    @Test func `holds no key once an opened file is released, and no data key before`() throws {
      let scene = try Scene()
      try scene.reset(for: .seal)
      let path = scene.directory + "/state"
      let secrets = try secrets(of: path, key: scene.key)
      let subject = try Waiting(["open", path, "--hold", "--wait"], in: scene)
      let memory = ProcessMemory(identifier: subject.process.processIdentifier)

      try subject.waits(after: "read 5000")
      let held = try memory.names(of: secrets)
      // That keys are found where they are shows that the search works.
      #expect(held.isSuperset(of: ["key", "payload key"]), "the search did not work")
      #expect(held.allSatisfy { $0.hasPrefix("key") || $0.hasPrefix("payload key") }, "\(held)")

      try subject.goOn()
      try subject.waits(after: "returned")
      #expect(try memory.names(of: secrets) == [])
      var ledger = Ledger("searches of a process's memory for secrets")
      for _ in secrets { ledger.count("not found after release") }
      try ledger.close()
    }

    @Test func `holds no key once a file is sealed`() throws {
      let scene = try Scene()
      try scene.reset(for: .firstSeal)
      let path = scene.directory + "/state"
      let subject = try Waiting(["seal", path, "2", "9000", "--wait"], in: scene)
      let memory = ProcessMemory(identifier: subject.process.processIdentifier)
      try subject.waits(after: "returned")
      #expect(try memory.names(of: try secrets(of: path, key: scene.key)) == [])
      // Where the plaintext went is the program's own business; the search finds it.
      #expect(try memory.names(of: ["name": Array("KEEPSAKE_FAULT_KEY=".utf8)]) == ["name"])
    }
  }
}
