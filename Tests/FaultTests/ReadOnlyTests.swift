import Foundation
import Keepsake
import Testing

extension FaultSuite {
  /// Spec/state.md, section 1, rule 1: a user can read a state but not write it.
  @Suite struct `A state that can only be read` {
    /// The reason why a user cannot write a directory.
    enum Obstacle: String, CaseIterable, CustomTestStringConvertible {
      case mode, owner, mount, attribute

      var testDescription: String { rawValue }
      var requirement: FaultRequirement {
        switch self {
        case .mode, .owner: .otherUser
        case .mount: .mounts
        case .attribute: .immutable
        }
      }
    }

    /// A directory with the initial files of a case and without lock files, and the user who works in it.
    private final class Stage {
      let scene: Scene
      let obstacle: Obstacle
      private let program: String

      init(_ subject: StateCase, _ obstacle: Obstacle) throws {
        scene = try Scene()
        self.obstacle = obstacle
        try DurableFile.createDirectory(at: scene.directory)
        try subject.prepare(scene.directory)
        program = scene.root + "/subject"
        try FileManager.default.copyItem(atPath: Scene.subject, toPath: program)
        try shell("find %/ -name '*lock' -delete; chmod 755 %/..")
        switch obstacle {
        case .mode: try shell("chown -R 65534 %; find %/ -type d -exec chmod 500 {} +; chmod 500 %")
        // The keys belong to the user, since others are refused.
        case .owner:
          try shell(
            """
            find % -type d -exec chmod 755 {} +; find % -type f -exec chmod 644 {} +
            find % -name key -exec chmod 600 {} + -exec chown 65534 {} +
            """)
        case .mount: break
        case .attribute: try shell("find % -depth -type d -exec chattr +i {} +")
        }
      }

      deinit { try? shell("find % -type d -exec chattr -i {} + 2>/dev/null; true") }

      func shell(_ script: String) throws {
        try Command.succeed(
          "sh", "-c", script.replacingOccurrences(of: "%", with: scene.directory))
      }

      func run(_ arguments: [String]) throws -> Command {
        let words = arguments.map { $0.replacingOccurrences(of: "%", with: scene.directory) }
        let prefix: [String] =
          switch obstacle {
          case .mode, .owner: ["setpriv", "--reuid", "65534", "--clear-groups"]
          case .attribute: []
          case .mount:
            [
              "unshare", "-m", "sh", "-c",
              "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"",
              scene.directory,
            ]
          }
        return try Command.run(prefix + [program] + words, environment: scene.environment)
      }

      /// All names below the directory.
      func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: scene.directory).sorted()
      }
    }

    @Test(arguments: Obstacle.allCases.filter { FaultSettings.isRequired || $0.requirement.isMet })
    func `A read-only state is restored without lock and mark, and not saved`(
      obstacle: Obstacle
    ) throws {
      let stage = try Stage(.save, obstacle)
      let before = try stage.names()
      #expect(before == ["key", "state.keepsake"])
      let load = try stage.run(["state-load", "%"])
      #expect(load.output.contains("loaded archive([1, 1], failedLaunchCount: 0)"), "\(load)")
      let launch = try stage.run(["state-launch", "%"])
      #expect(launch.output.contains("obstacle This user cannot write the directory"), "\(launch)")
      for name in ["state-save", "state-remove", "state-reset"] {
        let command = try stage.run([name, "%", "2", "9000"])
        #expect(command.status == 1, "\(name): \(command.output)")
        #expect(
          command.output.contains("This user cannot write the directory"), "\(command.output)")
      }
      #expect(try stage.names() == before)
    }

    @Test(arguments: Obstacle.allCases.filter { FaultSettings.isRequired || $0.requirement.isMet })
    func `Read-only sessions are listed and restored, and not changed`(obstacle: Obstacle) throws {
      let stage = try Stage(.discard, obstacle)
      let before = try stage.names()
      for (arguments, said) in [
        (["session-list", "%"], "listed 2"), (["session-load", "%", "a"], "loaded archive([1, 1]"),
        (["session-load", "%", "b"], "loaded archive([2, 2]"),
        (["session-load", "%", "new"], "loaded absent"),
        (["session-archive", "%", "a"], "failed damaged"),
        (["session-resume", "%"], "loaded archive([2, 2]"),
      ] {
        let command = try stage.run(arguments)
        #expect(command.output.contains(said), "\(arguments): \(command.output)")
      }
      for arguments in [
        ["session-save", "%", "a", "9000"], ["session-save", "%", "new", "9000"],
        ["session-prune", "%", "0"], ["session-remove", "%", "a"], ["session-reset", "%"],
      ] {
        let command = try stage.run(arguments)
        #expect(command.status == 1, "\(arguments): \(command.output)")
        #expect(!command.output.contains("no file at"), "\(arguments): \(command.output)")
      }
      #expect(try stage.names() == before)
    }

    @Test(arguments: Obstacle.allCases.filter { FaultSettings.isRequired || $0.requirement.isMet })
    func `A read-only value is loaded, and not changed`(obstacle: Obstacle) throws {
      let stage = try Stage(.updateValue, obstacle)
      let before = try stage.names()
      let load = try stage.run(["value-load", "%"])
      #expect(load.output.contains("loaded 1"), "\(load.output)")
      let update = try stage.run(["value-update", "%"])
      #expect(update.status == 1 && !update.output.contains("no file at"), "\(update.output)")
      #expect(try stage.names() == before)
    }

    @Test(arguments: Obstacle.allCases.filter { FaultSettings.isRequired || $0.requirement.isMet })
    func `A read-only state is in use while another process holds its lock`(
      obstacle: Obstacle
    ) throws {
      guard obstacle != .owner else { return }
      for (subject, load, lock) in [
        (StateCase.save, ["state-load", "%"], "lock"),
        (.updateValue, ["value-load", "%"], "value.lock"),
      ] {
        let stage = try Stage(subject, .mount)
        let path = stage.scene.directory + "/" + lock
        let free = try FileLock(at: path)
        let refused = try stage.run(load)
        #expect(refused.output.contains("failed stateInUse"), "\(refused.output)")
        withExtendedLifetime(free) {}
      }
      let stage = try Stage(.save, obstacle)
      if obstacle == .attribute { try stage.shell("chattr -i %; touch %/lock; chattr +i %") }
      if obstacle == .mode { try stage.shell("touch %/lock; chown 65534 %/lock; chmod 600 %/lock") }
      if obstacle == .mount { try stage.shell("touch %/lock; chmod 600 %/lock") }
      let load = try stage.run(["state-load", "%"])
      #expect(load.output.contains("loaded archive"), "\(load.output)")
    }

    @Test(.needs(.otherUser))
    func `A read-only state is in use when its lock cannot be opened`() throws {
      for (subject, load, lock) in [
        (StateCase.save, ["state-load", "%"], "lock"),
        (.updateValue, ["value-load", "%"], "value.lock"),
      ] {
        for obstacle in [Obstacle.mode, .owner] {
          let stage = try Stage(subject, obstacle)
          try stage.shell("touch %/\(lock); chown 0 %/\(lock); chmod 600 %/\(lock)")
          let command = try stage.run(load)
          #expect(command.output.contains("failed stateInUse"), "\(command.output)")
          #expect(command.output.contains("this user may not open its lock"), "\(command.output)")
        }
      }
    }
  }
}
