import Foundation
import Testing

@testable import KeepsakeSeal

extension FaultSuite {
  @Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem")))
  struct `The memory of a process` {
    /// A subject that waits at some point while its memory is searched.
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

      func wait(after line: String) throws {
        while !text.contains(line) {
          let data = output.fileHandleForReading.availableData
          try #require(!data.isEmpty, "ended: \(text)")
          text += String(decoding: data, as: UTF8.self)
        }
      }

      func resume() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

      deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
      }
    }

    /// The way in which a subject opens a file, and its secret.
    struct Opener: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let option: String

      /// The passphrase of the subject.
      static func passphrase() throws -> SealPassphrase {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 65) }
        return try SealPassphrase(copying: bytes.span)
      }

      func identity(in scene: Scene) throws -> (SealIdentity, SecretBytes) {
        switch option {
        case "--identity": return (.x25519(scene.identity), scene.identity.secret)
        case "--passphrase":
          let passphrase = try Opener.passphrase()
          return (.passphrase(passphrase), passphrase.secret)
        default: return (.key(scene.key), scene.key.secret)
        }
      }
    }

    static let openers = [
      Opener(testDescription: "raw key", option: "--key"),
      Opener(testDescription: "identity", option: "--identity"),
      Opener(testDescription: "passphrase", option: "--passphrase"),
    ]

    /// All secrets of the sealed file at `path`, and both halves of each.
    private func secrets(
      of path: String, _ opener: Opener, in scene: Scene
    ) throws -> [String: [UInt8]] {
      let (identity, own) = try opener.identity(in: scene)
      let source = try SealedSource(path: path)
      let header = try source.header(policy: SealPolicy())
      let fileID = header.preamble.fileID
      let (dataKey, index, _) = try header.unlock([identity], policy: SealPolicy())
      let schedule = KeySchedule(
        dataKey: dataKey, chunkSize: header.preamble.chunkSize, fileID: fileID,
        publicMetadata: header.publicMetadata, context: [])
      let slot = header.slots[index]
      let key = try #require(try slot.keyEncryptionKey(of: identity, fileID: fileID))
      var label: [UInt8] = []
      label.appendLengthPrefixed(Array("keepsake.seal/slot-wrap".utf8))
      let wrappingKey = try Blake2b.derive(label + slot.prefix + fileID, key: key)
      var secrets: [String: [UInt8]] = [:]
      for (name, secret) in [
        ("own secret", own), ("slot key", key), ("data key", dataKey),
        ("wrapping key", wrappingKey), ("payload key", try schedule.payloadKey()),
        ("metadata key", try schedule.metadataKey()),
      ] {
        secrets[name] = secret.publicBytes(0..<32)
        secrets[name + ", first half"] = secret.publicBytes(0..<16)
        secrets[name + ", second half"] = secret.publicBytes(16..<32)
      }
      if opener.option == "--identity" {
        let text = try TextForm.identity.text(of: scene.identity.secret)
        secrets["identity as text"] = text.publicBytes(0..<text.count)
      }
      return secrets
    }

    @Test(arguments: openers)
    func `A process holds no key after it releases a file, and no data key before`(
      opener: Opener
    ) throws {
      let scene = try Scene()
      try scene.reset(for: .seal)
      let path = scene.directory + "/state"
      let bytes = plaintext(1, 5_000)
      try SealedFile.seal(
        bytes.span, to: path,
        for: [
          .key(scene.key), .x25519(scene.identity.recipient),
          .passphrase(try Opener.passphrase(), cost: .constrained),
        ], options: SealOptions(allowsMixedPassphrase: true))
      let secrets = try secrets(of: path, opener, in: scene)
      let subject = try Waiting(["open", path, "--hold", "--wait", opener.option], in: scene)
      let memory = ProcessMemory(identifier: subject.process.processIdentifier)

      try subject.wait(after: "read 5000")
      let held = try memory.names(of: secrets)
      // Finding keys in use shows that the search works.
      #expect(held.isSuperset(of: ["own secret", "payload key"]), "the search did not work")
      let kept = ["own secret", "payload key"] + (opener.option == "--key" ? ["slot key"] : [])
      #expect(held.allSatisfy { name in kept.contains { name.hasPrefix($0) } }, "\(held)")

      try subject.resume()
      try subject.wait(after: "returned")
      #expect(try memory.names(of: secrets) == [])
      var ledger = Ledger("searches of memory for secrets, opened by \(opener.testDescription)")
      for _ in secrets { ledger.count("not found after release") }
      try ledger.close()
    }

    @Test func `A process holds no key after it has sealed a file`() throws {
      let scene = try Scene()
      try scene.reset(for: .firstSeal)
      let path = scene.directory + "/state"
      let subject = try Waiting(["seal", path, "2", "9000", "--all", "--wait"], in: scene)
      let memory = ProcessMemory(identifier: subject.process.processIdentifier)
      try subject.wait(after: "returned")
      for opener in Self.openers {
        let secrets = try secrets(of: path, opener, in: scene)
        #expect(try memory.names(of: secrets) == [], "\(opener.testDescription)")
      }
      // A name that is not secret is found.
      #expect(try memory.names(of: ["name": Array("KEEPSAKE_FAULT_KEY=".utf8)]) == ["name"])
    }

    @Test(.needs(.strace)) func `Memory is reported as locked only when it is locked`() throws {
      let scene = try Scene()
      let memory = FaultOperation("memory", ["memory", "%/x"], from: [:], to: [:])
      try scene.reset(for: memory)
      let (command, _) = try SystemCall.traced(
        memory, in: scene, ["-e", "trace=mlock", "-e", "inject=mlock:error=EPERM"])
      #expect(command.output.contains("locked false"), "\(command)")
      // The calls of libsodium and of this module for the first page: one failure is enough.
      let (second, _) = try SystemCall.traced(
        memory, in: scene, ["-e", "trace=mlock", "-e", "inject=mlock:error=ENOMEM:when=2"])
      #expect(second.output.contains("locked false"), "\(second)")
    }

    @Test(.enabled("needs core dumps as files", Self.dumpsFiles))
    func `A core dump does not contain the memory of Argon2id`() throws {
      let scene = try Scene()
      // A dump must contain the 210 MB of the first case, and not the memory of the second one.
      for (arguments, isLarge) in [
        (["crash", "%/x", "1", "210000000"], true), (["crash-deriving", "%/key"], false),
      ] {
        let operation = FaultOperation("crash", arguments, from: [:], to: [:])
        try scene.reset(for: operation)
        let command = try Command.run(
          ["sh", "-c", "ulimit -c unlimited; cd \"$0\"; exec \"$@\"", scene.directory]
            + [Scene.subject] + operation.arguments(in: scene.directory),
          environment: scene.environment)
        #expect(command.status == -SIGABRT, "\(command)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.directory)
        let name = try #require(names.first { $0.hasPrefix("core") }, "\(names)")
        let size = try FileManager.default.attributesOfItem(
          atPath: scene.directory + "/" + name)[.size]
        #expect(((size as? NSNumber)?.intValue ?? 0 > 200_000_000) == isLarge, "\(arguments)")
      }
    }

    private static func dumpsFiles() -> Bool {
      let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
      return pattern?.hasPrefix("core") == true
    }
  }
}
