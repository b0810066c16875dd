import Foundation
import Testing

/// The errors of the tool, run as a process, when something is wrong with its files.
@Suite struct `Bad input` {
  /// Runs a test on a saved state of the contacts app.
  private func withSavedState(_ body: (_ directory: URL, _ state: URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let first = try Tool.run("contacts", "--directory", directory.path, "--play")
      #expect(first.exitCode == 0, "\(first.error)")
      try body(directory, directory.appendingPathComponent("state"))
    }
  }

  /// The names and contents of all files in a directory.
  private func snapshot(_ directory: URL) throws -> [String: Data?] {
    var files: [String: Data?] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      files[name] = try? Data(contentsOf: directory.appendingPathComponent(name))
    }
    return files
  }

  private static let faults: [(fault: String, file: String, exitCode: Int32)] = [
    ("missing key", "key", 77), ("key of the wrong length", "key", 77),
    ("key that others can read", "key", 77), ("empty archive", "state.keepsake", 65),
    ("directory in place of the archive", "state.keepsake", 74),
    ("archive of random bytes", "state.keepsake", 65), ("archive cut short", "state.keepsake", 65),
  ]

  @Test(arguments: faults)
  func `Bad input is reported in a full sentence, changes nothing and makes no key`(
    fault: String, file: String, exitCode: Int32
  ) throws {
    try withSavedState { directory, state in
      let url = state.appendingPathComponent(file)
      let manager = FileManager.default
      switch fault {
      case "missing key": try manager.removeItem(at: url)
      case "key of the wrong length": try Data(count: 31).write(to: url)
      case "key that others can read":
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
      case "empty archive": try Data().write(to: url)
      case "archive cut short": try Data(contentsOf: url).dropLast().write(to: url)
      case "archive of random bytes":
        try Data((0..<500).map { _ in UInt8.random(in: 0...255) }).write(to: url)
      default:
        try manager.removeItem(at: url)
        try manager.createDirectory(at: url, withIntermediateDirectories: false)
      }
      let before = try snapshot(state)
      let launch = try Tool.run("contacts", "--directory", directory.path)
      #expect(launch.exitCode == exitCode, "\(launch.output) \(launch.error)")
      #expect(launch.output.contains(url.path), "\(launch.output)")
      #expect(launch.output.contains("ContactsStack (navigation)"), "the app shows its default")
      #expect(try snapshot(state) == before)

      let inspection = try Tool.run(
        "inspect", state.appendingPathComponent("state.keepsake").path)
      #expect(inspection.exitCode == exitCode, "\(inspection.error)")
      #expect(inspection.error.hasPrefix("keepsake: ") && inspection.error.hasSuffix(".\n"))
      #expect(inspection.error.contains(url.path), "\(inspection.error)")
      #expect(try snapshot(state) == before)
    }
  }

  @Test func `A bad argument is reported with the usage of its command`() throws {
    let run = try Tool.run("contacts", "--directory", "/nowhere", "--bundle-version", "1.x")
    #expect(run.exitCode == 64 && run.output.isEmpty)
    #expect(run.error.contains("\"1.x\" is not a bundle version"))
    #expect(run.error.contains("Usage: keepsake contacts --directory"))
  }

  private static let exchanged: [(verb: [String], file: String, says: String, exitCode: Int32)] = [
    (["inspect"], "key", "is a key file, neither a sealed file nor an archive", 65),
    (["verify"], "identity", "is an identity, neither a sealed file nor an archive", 65),
    (["open"], "signing", "the key by --sign.", 65),
    (["open", "--key", "KEY"], "archive", "\"keepsake inspect\" shows it", 65),
    (["rewrap"], "archive", "\"keepsake seal\" seals it.", 64),
    (["reseal"], "archive", "it has no keys to change", 64),
    (["rewrap"], "-", "name the file to change.", 64),
    (["passwd"], "archive", "is an archive that is not sealed", 77),
    (["passwd"], "key", "is a key file without a passphrase", 77),
    (["passwd"], "sealed", "\"keepsake rewrap\" changes the keys that open it", 77),
  ]

  @Test
  func `The error of a file of the wrong kind names the file and gives advice`() throws {
    try withTemporaryDirectory { directory in
      let path = { (name: String) in directory.appendingPathComponent(name).path }
      try Tool.run("keygen", "key", path("key"))
      try Tool.run("keygen", "identity", path("identity"))
      try Tool.run("keygen", "signing-key", path("signing"))
      try Data("[1, 2]".utf8).write(to: directory.appendingPathComponent("values"))
      try Tool.run("import", path("values"), "-o", path("archive"))
      try Tool.run("seal", path("archive"), "-o", path("sealed"), "--key", path("key"))
      let before = try snapshot(directory)
      #expect(before.count == 6)
      for (verb, file, says, exitCode) in Self.exchanged {
        let options = verb.map { $0 == "KEY" ? path("key") : $0 }
        let input = file == "-" ? before["sealed"] ?? nil : nil
        let run = try Tool.run(
          program: "keepsake", options + [file == "-" ? file : path(file)], input: input)
        #expect(run.exitCode == exitCode, "\(run.error)")
        #expect(run.error.hasPrefix("keepsake: ") && run.error.contains(says), "\(run.error)")
        #expect(file == "-" || run.error.contains(path(file)), "\(run.error)")
        #expect(run.output.isEmpty)
        #expect(try snapshot(directory) == before)
      }
    }
  }

  @Test func `Inspect reports a missing archive, and the app treats it as a first launch`() throws {
    try withSavedState { directory, state in
      let archive = state.appendingPathComponent("state.keepsake")
      try FileManager.default.removeItem(at: archive)
      let inspection = try Tool.run("inspect", archive.path)
      #expect(inspection.exitCode == 66 && inspection.error.contains(archive.path))
      let launch = try Tool.run("contacts", "--directory", directory.path)
      #expect(launch.exitCode == 0 && launch.output.hasPrefix("Nothing had been saved."))
    }
  }

  @Test func `A full disk stops the save of a damaged state, and leaves no copies of it`() throws {
    try withSavedState { directory, state in
      let archive = state.appendingPathComponent("state.keepsake")
      try Data(contentsOf: archive).dropLast().write(to: archive)
      let before = try snapshot(state)
      // The shell limits files to 1 KiB and ignores the signal, so that a write fails as on a full disk.
      let limited = ["bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]
      for _ in 0..<2 {
        let launch = try Tool.run(
          "contacts", "--directory", directory.path, "--save", under: limited)
        #expect(launch.exitCode == 74, "\(launch.output) \(launch.error)")
        #expect(launch.error.contains(archive.path), "\(launch.error)")
        #expect(try snapshot(state) == before)
      }
      let launch = try Tool.run("contacts", "--directory", directory.path, "--save")
      #expect(launch.error.isEmpty && launch.exitCode == 65)
      let kept = state.appendingPathComponent("state.keepsake.damaged-1")
      #expect(try Data(contentsOf: kept) == before["state.keepsake"])
    }
  }

  @Test func `A read-only directory stops the save and leaves the archive`() throws {
    try withSavedState { directory, state in
      // If the tests run as root, the tool runs as another user, since root may write everywhere.
      let isRoot = getuid() == 0
      let manager = FileManager.default
      if isRoot {
        for path in try manager.subpathsOfDirectory(atPath: directory.path) + [""] {
          try manager.setAttributes(
            [.ownerAccountID: 65534, .groupOwnerAccountID: 65534],
            ofItemAtPath: directory.appendingPathComponent(path).path)
        }
      }
      try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: state.path)
      defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: state.path) }
      let before = try snapshot(state)
      // A tool that was built for coverage would report on standard error that this user may not write its profile.
      let other =
        ["LLVM_PROFILE_FILE=/dev/null"]
        + (isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [])
      let launch = try Tool.run(
        "contacts", "--directory", directory.path, "--save", under: other)
      #expect(launch.exitCode == 74, "\(launch.output) \(launch.error)")
      #expect(launch.error.contains(state.path) && launch.error.hasSuffix(".\n"), "\(launch.error)")
      #expect(try snapshot(state) == before)
    }
  }
}
