import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  @Suite struct `A directory that refuses changes` {
    @Test(.needs(.immutable), arguments: [FaultOperation.seal, .replace, .create, .key, .remove])
    func `An immutable directory keeps its old file`(operation: FaultOperation) throws {
      let scene = try Scene()
      try scene.reset(for: operation)
      try Command.succeed("chattr", "+i", scene.directory)
      defer { _ = try? Command.succeed("chattr", "-i", scene.directory) }
      let command = try scene.run(operation)
      #expect(command.output.contains("failed permissionDenied 1 "), "\(command.output)")
      #expect(try ErrorCheck.check(command, of: operation, in: scene, "") == "error, old")
    }

    @Test(.needs(.mounts), arguments: [FaultOperation.seal, .replace, .create, .key, .remove])
    func `A file system that is mounted read-only keeps the old file`(operation: FaultOperation)
      throws
    {
      let disk = try FileSystem.memory(kilobytes: 1_024)
      let scene = try Scene(directory: disk.path)
      try scene.reset(for: operation)
      try disk.mount("remount,ro")
      let command = try scene.run(operation)
      #expect(command.output.contains("failed readOnlyFileSystem 30 "), "\(command.output)")
      #expect(try ErrorCheck.check(command, of: operation, in: scene, "") == "error, old")
    }

    @Test(.needs(.otherUser), arguments: [FaultOperation.replace, .create, .remove])
    func `A directory of another user keeps its old file`(operation: FaultOperation) throws {
      let scene = try Scene()
      try scene.reset(for: operation)
      // The other user can reach the directory and the program.
      try Command.succeed("chmod", "755", scene.root, scene.directory)
      let program = scene.root + "/subject"
      try FileManager.default.copyItem(atPath: Scene.subject, toPath: program)
      let command = try Command.run(
        ["setpriv", "--reuid", "65534", "--clear-groups", program]
          + operation.arguments(in: scene.directory))
      #expect(command.output.contains("failed permissionDenied 13 "), "\(command)")
      #expect(try ErrorCheck.check(command, of: operation, in: scene, "") == "error, old")
    }

    // Only the directory must be writable; the replaced file is read-only.
    @Test func `A read-only file in a writable directory is replaced`() throws {
      let scene = try Scene()
      let operation = FaultOperation.seal
      try scene.reset(for: operation)
      try Command.succeed("chmod", "400", scene.directory + "/state")
      #expect(try scene.run(operation).status == 0)
      #expect(try scene.outcome(of: operation, "read-only file") == .new)
    }

    // Without locks, nothing would keep two processes apart.
    @Test(.needs(.strace), arguments: zip(["ENOLCK", "EOPNOTSUPP"], [ENOLCK, EOPNOTSUPP]))
    func `A missing lock is an error, unless the caller allows it`(
      error: String, number: Int32
    ) throws {
      let scene = try Scene()
      for (options, status, said) in [
        ([], 1, "failed lockUnavailable \(number) flock "), (["--without-locks"], 0, "returned"),
      ] as [([String], Int32, String)] {
        let operation = FaultOperation("lock", ["lock", "%/lock"] + options, from: [:], to: [:])
        try scene.reset(for: operation)
        let (command, lines) = try SystemCall.traced(
          operation, in: scene, ["-e", "trace=flock", "-e", "inject=flock:error=\(error)"])
        try #require(lines.contains { $0.contains("(INJECTED)") })
        #expect(command.status == status && command.output.contains(said), "\(command.output)")
      }
    }

    // Descriptors run out at each call that needs one.
    @Test(arguments: FaultOperation.all + [FaultOperation.threadedSeal, .threadedStream])
    func `A limit on open files leaves the old state`(operation: FaultOperation) throws {
      let scene = try Scene()
      var ledger = Ledger("limits of open files in \(operation.testDescription)")
      for limit in 3...9 {
        try scene.reset(for: operation)
        let command = try scene.run(operation, under: ["prlimit", "--nofile=\(limit)", "--"])
        // With three descriptors, the program cannot even be loaded.
        guard command.output.hasPrefix("begin") else { continue }
        ledger.count(
          try ErrorCheck.check(command, of: operation, in: scene, "\(limit): \(command.output)"))
      }
      #expect(ledger.outcomes["success, new"] ?? 0 > 0)
      #expect(ledger.outcomes["error, old"] ?? 0 > 0 || operation.needsNoDescriptors)
      try ledger.close()
    }

    // Another process has already taken the random name.
    @Test(.needs(.strace), arguments: [FaultOperation.seal, .replace, .create, .key])
    func `A writer tries 16 temporary names, and then fails`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      let call = try #require(
        try SystemCall.all(of: operation, in: scene).first { $0.line.contains("O_EXCL") })
      for (count, expected) in [(1, "success, new"), (15, "success, new"), (16, "error, old")] {
        try scene.reset(for: operation)
        let command = try call.fail(operation, in: scene, with: "EEXIST", count: count)
        let found = try ErrorCheck.check(command, of: operation, in: scene, "\(count)")
        #expect(found == expected, "\(count)")
      }
    }
  }
}
