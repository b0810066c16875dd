#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import KeepsakeFiles

  // Each test changes its user, in a process of its own.
  @Suite(.enabled(if: geteuid() == 0, "only the superuser can become another user"))
  struct `The files of another user` {
    @Test func `A lock file that this user may not open counts as held`() async {
      await #expect(processExitsWith: .success) { try lockFilesOfOthers() }
    }

    @Test func `A lock is not needed to read where this user can change nothing`() async {
      await #expect(processExitsWith: .success) { try lockForReading() }
    }

    @Test func `A directory is writable when its permissions let this user make files in it`() async
    {
      await #expect(processExitsWith: .success) { try testDirectories() }
    }

    @Test func `A file that this user may not read is replaced without a lock, and not changed`()
      async
    {
      await #expect(processExitsWith: .success) { try replaceFilesOfOthers() }
    }

    @Test
    func `A changed file keeps a group that this user may set, or gets none that can read it`()
      async
    {
      await #expect(processExitsWith: .success) { try changeFilesOfGroups() }
    }

    @Test func `A file is erased by its owner alone`() async {
      await #expect(processExitsWith: .success) { try eraseFiles() }
    }

    @Test func `A lack of descriptors is no lock of another writer`() async {
      await #expect(processExitsWith: .success) { try lockWithoutDescriptors() }
    }
  }

  private let other: uid_t = 65_534

  /// Runs a body as another user, with the group `group`.
  private func asOther(group: gid_t = 65_534, _ body: () throws -> Void) throws {
    #expect(setegid(group) == 0 && seteuid(other) == 0)
    defer { #expect(seteuid(0) == 0 && setegid(0) == 0) }
    try body()
  }

  /// Runs a body with a directory of the superuser, in which others can read, and change files in `open` alone.
  private func withDirectory(_ body: (_ path: String, _ open: String) throws -> Void) throws {
    try withTemporaryDirectory { path in
      #expect(run("chmod", "755", path))
      try DurableFile.createDirectory(at: path + "/open", mode: 0o777)
      try body(path, path + "/open")
    }
  }

  private func makeFile(_ path: String, owner: String, mode: String) throws {
    try write([1, 2, 3], to: path)
    #expect(run("chown", owner, path) && run("chmod", mode, path))
  }

  private func lockFilesOfOthers() throws {
    try withDirectory { path, open in
      try makeFile(path + "/lock", owner: "0", mode: "600")
      try makeFile(path + "/readable", owner: "0", mode: "644")
      try makeFile(open + "/own", owner: "\(other)", mode: "000")
      try asOther { () throws in
        let held = error { try FileLock(at: path + "/lock", patience: .seconds(100_000)) }
        #expect(held?.code == .fileLocked && held?.systemError == EACCES)
        #expect(held?.path == path + "/lock" && held?.detail.contains("counts as held") == true)
        let absent = error { try FileLock(at: path + "/absent") }
        #expect(absent?.code == .permissionDenied && absent?.path == path + "/absent")
        let lock = try FileLock(at: path + "/readable")
        #expect(code { try FileLock(at: path + "/readable") } == .fileLocked)
        withExtendedLifetime(lock) {}
        #expect(code { try FileLock(at: open + "/own") } == nil)
      }
      #expect(try permissions(of: path + "/readable") == 0o644)
      #expect(try permissions(of: open + "/own") == 0o600)
    }
  }

  private func lockForReading() throws {
    try withDirectory { path, open in
      try makeFile(path + "/lock", owner: "0", mode: "600")
      try asOther { () throws in
        #expect(try FileLock.forReading(at: path + "/absent") == nil)
        #expect(code { try FileLock.forReading(at: path + "/lock") } == .fileLocked)
        #expect(code { try FileLock.forReading(at: path + "/none/lock") } == .directoryAbsent)
        for scope in [FileLock.Scope.exclusive, .process] {
          #expect(try FileLock.forReading(at: open + "/lock", scope: scope) != nil)
        }
      }
      #expect(try names(in: path) == ["lock", "open"] && names(in: open) == ["lock"])
    }
  }

  private func testDirectories() throws {
    try withDirectory { path, open in
      try write([], to: path + "/file")
      try asOther { () throws in
        for (directory, isWritable) in [
          (path, false), (path + "/a/b/", false), (open, true), (open + "//", true),
          (open + "/a/b", true),
        ] {
          #expect(try DurableFile.isWritableDirectory(directory) == isWritable, "\(directory)")
        }
        #expect(code { try DurableFile.isWritableDirectory(path + "/file") } == .notDirectory)
        #expect(code { try DurableFile.requireOwnDirectory(at: path) } == .directoryNotOwned)
        #expect(code { try DurableFile.requireOwnDirectory(at: path + "/absent") } == nil)
        let made = error { try DurableFile.createDirectory(at: path + "/new") }
        #expect(made?.code == .permissionDenied && made?.path == path + "/new")
        try DurableFile.createDirectory(at: open + "/new")
      }
      #expect(try names(in: path) == ["file", "open"] && names(in: open) == ["new"])
    }
  }

  private func replaceFilesOfOthers() throws {
    try withDirectory { path, open in
      let file = open + "/f"
      try makeFile(file, owner: "0", mode: "600")
      try asOther { () throws in
        let location = try FileLocation(file)
        let target = try LockedTarget(location, in: location.openDirectory())
        #expect(target?.isLocked == false && target?.status.size == 3)
        #expect(code { try DurableFile.read(at: file, upTo: 9) } == .permissionDenied)
        #expect(code { try DurableFile.change(at: file, to: [7]) } == .permissionDenied)
        try DurableFile.replace(at: file, with: [8].span)
        let closed = error { try DurableFile.replace(at: path + "/g", with: [8].span) }
        #expect(closed?.code == .permissionDenied && closed?.path == path + "/g")
      }
      #expect(try contents(of: file) == [8] && names(in: open) == ["f"])
      #expect(try FileStatus.withoutFollowingLinks(file)?.owner == other)
    }
  }

  private func changeFilesOfGroups() throws {
    try withDirectory { path, open in
      let file = open + "/f"
      for (owner, mode, group, changed) in [
        ("\(other):456", "640", 65_534, 0o600), ("\(other):456", "664", 65_534, 0o604),
        ("\(other):456", "640", 456, 0o640), ("123:456", "644", 456, 0o644),
        ("123:456", "664", 65_534, 0o604),
      ] as [(String, String, gid_t, UInt32)] {
        try makeFile(file, owner: owner, mode: mode)
        try asOther(group: group) { () throws in try DurableFile.change(at: file, to: [4]) }
        let status = try #require(try FileStatus.withoutFollowingLinks(file))
        #expect(status.permissions == changed, "\(owner) \(mode) \(group)")
        #expect(status.owner == other && status.group == group)
      }
      #expect(try names(in: open) == ["f"])
    }
  }

  private func eraseFiles() throws {
    try withDirectory { path, open in
      try makeFile(open + "/own", owner: "\(other)", mode: "400")
      try makeFile(open + "/foreign", owner: "0", mode: "644")
      #expect(run("ln", open + "/own", path + "/witness"))
      try asOther { () throws in
        #expect(try DurableFile.erase(at: open + "/own") == 1)
        let refused = error { try DurableFile.erase(at: open + "/foreign") }
        #expect(refused?.code == .permissionDenied && refused?.systemCall == "openat")
      }
      #expect(try contents(of: path + "/witness") == [0, 0, 0])
      #expect(try contents(of: open + "/foreign") == [1, 2, 3])
    }
  }

  private func lockWithoutDescriptors() throws {
    try withTemporaryDirectory { path in
      try write([1], to: path + "/f")
      let location = try FileLocation(path + "/f")
      let directory = try location.openDirectory()
      #expect(run("prlimit", "--pid", "\(getpid())", "--nofile=256:"))
      var held: [FileDescriptor] = []
      while let file = try? FileDescriptor(openingForReading: path + "/f") { held.append(file) }
      let failure = error { try LockedTarget(location, in: directory, patience: .zero) }
      #expect(failure?.code == .systemCallFailed && failure?.systemError == EMFILE)
      #expect(failure?.path == path + "/f" && !held.isEmpty)
      held = []
    }
  }
#endif
