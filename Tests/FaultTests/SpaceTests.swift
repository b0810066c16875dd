import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  // Nothing is simulated here: the space really ends.
  @Suite struct `Space that runs out` {
    @Test(.needs(.mounts), arguments: [FaultOperation.seal, .largeSeal, .replace])
    func `A full disk of any size keeps the old file`(operation: FaultOperation) throws {
      var ledger = Ledger("full disks in \(operation.testDescription)")
      let largest = operation.testDescription == "large seal" ? 2_600 : 160
      for kilobytes in stride(from: 4, through: largest, by: largest / 26) {
        let disk = try FileSystem.memory(kilobytes: largest)
        let scene = try Scene(directory: disk.path)
        try scene.reset(for: operation)
        let used = try FullDisk.used(disk.path)
        guard kilobytes >= used else { continue }
        try disk.mount("remount,size=\(kilobytes)k")
        let command = try scene.run(operation)
        let found = try ErrorCheck.check(
          command, of: operation, in: scene, "\(kilobytes) KiB: \(command.output)")
        if found == "error, old" { #expect(command.output.contains("failed noSpace 28")) }
        ledger.count(found)
      }
      let counts = ledger.outcomes
      #expect(counts["success, new"] ?? 0 > 0)
      #expect(counts["error, old"] ?? 0 > 0)
      try ledger.close()
    }

    @Test(.needs(.mounts), arguments: [FaultOperation.firstSeal, .create, .key])
    func `A full disk keeps nothing of a new file`(operation: FaultOperation) throws {
      let disk = try FileSystem.memory(kilobytes: 4)
      let scene = try Scene(directory: disk.path)
      try Data(count: 4_096).write(to: URL(fileURLWithPath: disk.path + "/other"))
      let command = try scene.run(operation)
      #expect(command.status == 1 && command.output.contains("failed noSpace 28 pwrite"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["other"])
    }

    @Test(arguments: [FaultOperation.seal, .largeSeal, .replace, .create])
    func `A limit on the file size is an error if the process ignores the signal`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      var ledger = Ledger("file size limits, signal ignored, in \(operation.testDescription)")
      for bytes in [0, 1, 427, 428, 429, 2_999] {
        try scene.reset(for: operation)
        // The output of the subject goes through a pipe, since the limit applies to files only.
        let command = try scene.run(
          operation,
          under: [
            "bash", "-o", "pipefail", "-c", #""$@" | cat"#, "-",
            "env", "--ignore-signal=XFSZ", "prlimit", "--fsize=\(bytes)", "--",
          ])
        let found = try ErrorCheck.check(
          command, of: operation, in: scene, "\(bytes) bytes: \(command.output)")
        #expect(found == "error, old" && command.output.contains("27 pwrite"))
        ledger.count(found)
      }
      try ledger.close()
    }

    @Test func `The next writer cleans up after a process that the size limit killed`() throws {
      let scene = try Scene()
      var ledger = Ledger("file size limits, signal not ignored")
      for operation in [FaultOperation.seal, .largeSeal, .replace, .create] {
        for bytes in [0, 1, 500, 2_999] {
          try scene.reset(for: operation)
          let command = try scene.run(
            operation,
            under: [
              "bash", "-o", "pipefail", "-c", #""$@" | cat"#, "-",
              // The test's threads block signals, and programs that they start inherit that.
              "perl", "-MPOSIX", "-e",
              "sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGXFSZ)); exec @ARGV or exit 127",
              "prlimit", "--fsize=\(bytes)", "--",
            ])
          try #require(command.output == "begin\n", "the fault did not fire: \(command.output)")
          #expect(command.status == 128 + SIGXFSZ)
          let outcome = try scene.outcome(of: operation, "\(bytes) bytes")
          #expect(outcome == .old)
          if let outcome { ledger.count(outcome) }
        }
      }
      #expect(scene.strayCount == 16)
      ledger.note("strays collected", scene.strayCount)
      try ledger.close()
    }
  }
}

/// The facts that a file system reports.
enum FullDisk {
  /// The number of kilobytes in use.
  static func used(_ path: String) throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: path)
    let size = (facts[.systemSize] as? NSNumber)?.intValue ?? 0
    let free = (facts[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    try #require(size > 0)
    return (size - free) / 1_024
  }
}
