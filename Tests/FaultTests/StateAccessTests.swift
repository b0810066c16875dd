import Foundation
import Keepsake
import Testing

extension FaultSuite {
  /// Spec/state.md, sections 1 and 2: the effects of users, masks and file systems on a state.
  @Suite struct `A state directory` {
    /// A state directory with the initial files of a case.
    private func scene(_ subject: StateCase) throws -> Scene {
      let scene = try Scene()
      try DurableFile.createDirectory(at: scene.directory)
      try subject.prepare(scene.directory)
      return scene
    }

    @Test(
      .needs(.strace), arguments: StateCase.all.filter { $0.testDescription != "passphrase" },
      ["ENOLCK", "EOPNOTSUPP"])
    func `A file system without locks is refused, unless the caller allows it`(
      subject: StateCase, error: String
    ) throws {
      let scene = try scene(subject)
      let injection = ["-e", "trace=flock", "-e", "inject=flock:error=\(error)"]
      let (refused, lines) = try SystemCall.traced(subject.operation, in: scene, injection)
      try #require(lines.contains { $0.contains("(INJECTED)") })
      // A discarded session has to be opened before the operation starts.
      #expect(refused.status == 1 && refused.output.contains("has no locks"), "\(refused.output)")
      #expect(try subject.found(in: scene.directory) == subject.old)
      guard subject.allowsMissingLocks else { return }
      let allowed = FaultOperation(
        subject.testDescription, subject.operation.arguments + ["--without-locks"], from: [:],
        to: [:])
      let (command, _) = try SystemCall.traced(allowed, in: scene, injection)
      #expect(command.status == 0, "\(command.output)")
      #expect(try subject.found(in: scene.directory) == subject.new)
    }

    @Test(.needs(.strace))
    func `A lock that fails for another reason is refused even if locks may be missing`() throws {
      let subject = StateCase.save
      let scene = try scene(subject)
      let operation = FaultOperation(
        "save", subject.operation.arguments + ["--without-locks"], from: [:], to: [:])
      let (command, _) = try SystemCall.traced(
        operation, in: scene, ["-e", "trace=flock", "-e", "inject=flock:error=EIO:when=1"])
      #expect(
        command.output.contains("failed storeUnavailable 5 flock"), "\(command.output)")
      #expect(try subject.found(in: scene.directory) == subject.old)
    }

    @Test(arguments: ["0777", "0277", "0000"])
    func `A state directory and its files have their modes with any umask`(mask: String) throws {
      let scene = try Scene()
      let modes = ["sh", "-c", "umask \(mask); exec \"$@\"", "-"]
      for arguments in [["state-save", "%", "1", "100"], ["session-save", "%", "c", "100"]] {
        let operation = FaultOperation("save", arguments, from: [:], to: [:])
        #expect(try scene.run(operation, under: modes).status == 0)
      }
      let names = try #require(FileManager.default.enumerator(atPath: scene.directory))
      var count = 0
      for case let name as String in names {
        let path = scene.directory + "/" + name
        let mode =
          try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        let isDirectory = try DurableFile.kind(of: path) == .directory
        #expect(mode?.intValue == (isDirectory ? 0o700 : 0o600), "\(name)")
        count += 1
      }
      #expect(count == 12)
    }

    /// Runs an operation as the user who owns the directory.
    private func run(_ arguments: [String], asOwnerOf scene: Scene) throws -> Command {
      let program = scene.root + "/subject"
      if !FileManager.default.fileExists(atPath: program) {
        try FileManager.default.copyItem(atPath: Scene.subject, toPath: program)
      }
      try Command.succeed("chmod", "755", scene.root)
      return try Command.run(
        ["setpriv", "--reuid", "65534", "--clear-groups", program]
          + arguments.map { $0.replacingOccurrences(of: "%", with: scene.directory) })
    }

    @Test(.needs(.otherUser), arguments: ["0400", "0000"])
    func `A key that its owner cannot write can be erased`(mode: String) throws {
      for name in ["session-discard", "session-remove"] {
        let scene = try scene(.discard)
        let key = scene.directory + "/sessions/a.session/key"
        let witness = scene.root + "/witness"
        try FileManager.default.linkItem(atPath: key, toPath: witness)
        try Command.succeed("chown", "-R", "65534", scene.directory)
        try Command.succeed("chmod", mode, key)
        let command = try run([name, "%", "a"], asOwnerOf: scene)
        #expect(command.status == 0, "\(name): \(command.output)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: witness)) == Data(count: 48))
        try Command.succeed("chown", "-R", "\(getuid())", scene.directory)
        #expect(try StateCase.discard.found(in: scene.directory) == "b 2")
      }
    }

    @Test(.needs(.otherUser))
    func `Operations continue past the folder of a session that cannot be read`()
      throws
    {
      let scene = try scene(.discard)
      let folder = scene.directory + "/sessions/a.session"
      try Command.succeed("chown", "-R", "65534", scene.directory)
      try Command.succeed("chmod", "0000", folder)
      for (arguments, said) in [
        (["session-list", "%"], "listed 2"),
        (["session-prune", "%", "0"], "failed storeUnavailable"),
        (["session-save", "%", "c", "9000"], "returned"),
      ] {
        let command = try run(arguments, asOwnerOf: scene)
        #expect(command.output.contains(said), "\(command.output)")
      }
      try Command.succeed("chmod", "0700", folder)
      try Command.succeed("chown", "-R", "\(getuid())", scene.directory)
      let found = try StateCase.discard.found(in: scene.directory)
      #expect(found == "a 1, c 0")
    }

    @Test(.needs(.otherUser)) func `A state directory of another user is refused`() throws {
      let scene = try scene(.save)
      try Command.succeed("chown", "-R", "65534", scene.directory)
      let command = try scene.run(StateCase.save.operation)
      #expect(
        command.status == 1 && command.output.contains("belongs to another user (user 65534)"))
      try Command.succeed("chown", "-R", "\(getuid())", scene.directory)
      #expect(try StateCase.save.found(in: scene.directory) == "state 1")
    }

    // The zeros must be on the disk before the name is removed, and the key must go before the archive.
    @Test(.needs(.strace), arguments: [StateCase.discard, .removeSession, .prune])
    func `Erasing writes and synchronises zeros before it removes the name and the archive`(
      subject: StateCase
    ) throws {
      let scene = try scene(subject)
      let (command, lines) = try SystemCall.traced(
        subject.operation, in: scene, ["-e", "trace=openat,pwrite64,fsync,unlinkat"])
      #expect(command.status == 0, "\(command.output)")
      let calls = lines.drop { !$0.contains(#""session""#) }
      let erased = try #require(
        calls.firstIndex { $0.contains(#"unlinkat("#) && $0.contains(#""key""#) })
      let zeros = try #require(
        calls[..<erased].lastIndex {
          $0.contains("pwrite64(") && $0.contains(#"\0\0\0\0"#) && $0.contains(", 48, 0)")
        })
      let file = try #require(calls[zeros].firstMatch(of: /pwrite64\((\d+),/)).1
      #expect(calls[zeros..<erased].contains { $0.contains("fsync(\(file))") })
      let archive = try #require(
        calls.firstIndex { $0.contains("unlinkat(") && $0.contains(#""state.keepsake""#) })
      #expect(erased < archive)
      // The removal of the key's name is on the disk before the archive goes.
      #expect(calls[erased..<archive].contains { $0.contains("fsync(") })
    }
  }
}
