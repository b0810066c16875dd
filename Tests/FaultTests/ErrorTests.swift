import Testing

extension FaultSuite {
  @Suite struct `A system call that fails` {
    /// The errors that each call may report on some file system.
    static let errors: [String: [String]] = [
      "openat": ["EIO", "EACCES", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "EDQUOT", "EROFS"],
      "newfstatat": ["EIO", "EACCES", "ENOMEM"],
      "getdents64": ["EIO", "ENOMEM"],
      "flock": ["EIO", "ENOLCK", "EOPNOTSUPP", "EBADF"],
      "fchmod": ["EIO", "EPERM", "EROFS"],
      "pwrite64": ["ENOSPC", "EIO", "EDQUOT", "EFBIG"],
      "fsync": ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
      "fcntl": ["EMFILE"],
      "close": ["EIO", "ENOSPC"],
      "renameat": [
        "EXDEV", "EBUSY", "EINVAL", "EROFS", "EPERM", "EACCES", "EIO", "ENOSPC", "EDQUOT",
      ],
      "renameat2": [
        "ENOSYS", "EINVAL", "EOPNOTSUPP", "EBUSY", "EROFS", "EPERM", "EIO", "ENOSPC", "EDQUOT",
      ],
      "linkat": ["EPERM", "EMLINK", "EIO", "ENOSPC", "EROFS"],
      "unlinkat": ["EIO", "EBUSY", "EROFS", "EPERM"],
      "mkdirat": ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EMLINK"],
      "ioctl": ["EOPNOTSUPP", "EIO", "EXDEV"],
      "sendfile": ["EINVAL", "EIO", "ENOSPC"],
      "lseek": ["EINVAL"],
      "pread64": ["EIO"],
      "mlock": ["EPERM", "ENOMEM", "EAGAIN"],
      "madvise": ["EINVAL"],
    ]

    @Test(.needs(.strace), arguments: FaultOperation.all)
    func `A failed system call leaves the old state, or its error reports the change`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      var ledger = Ledger("errors at every system call of \(operation.testDescription)")
      for call in try SystemCall.all(of: operation, in: scene) where !call.isAfterReturn {
        for error in Self.errors[call.name] ?? [] {
          try scene.reset(for: operation)
          let command = try call.fail(operation, in: scene, with: error)
          ledger.count(
            try ErrorCheck.check(
              command, of: operation, in: scene, "\(error) at \(call.description)"))
        }
      }
      try ledger.close()
    }

    // The kernel may drop the bytes after it has reported their loss once. Holds [S-112].
    @Test(.needs(.strace), arguments: [FaultOperation.seal, .replace, .create, .key])
    func `A failed fsync is not repeated`(operation: FaultOperation) throws {
      let scene = try Scene()
      try scene.reset(for: operation)
      let (command, lines) = try SystemCall.traced(
        operation, in: scene, ["-e", "trace=fsync", "-e", "inject=fsync:error=EIO"])
      #expect(command.output.contains("failed systemCallFailed 5 fsync"))
      #expect(lines.count { $0.contains("fsync(") } == 1)
      #expect(try ErrorCheck.check(command, of: operation, in: scene, "fsync") == "error, old")
    }

    // Errors of synchronising, and errors by which a file system reports that it has no such operation. Holds
    // [S-114].
    @Test(.needs(.strace), arguments: [FaultOperation.seal, .replace, .create, .key])
    func `A failed synchronisation is not taken for an unsupported one`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      let calls = try SystemCall.all(of: operation, in: scene).filter { $0.name == "fsync" }
      try #require(calls.count == 2)
      let cases = [
        (0, "EOPNOTSUPP", "error, old"), (0, "EINVAL", "error, old"),
        (1, "EIO", "durability unknown, new"), (1, "ENOSPC", "durability unknown, new"),
        (1, "EOPNOTSUPP", "success, new"), (1, "EINVAL", "success, new"),
        (1, "ENOTTY", "success, new"),
      ]
      for (index, error, expected) in cases {
        try scene.reset(for: operation)
        let command = try calls[index].fail(operation, in: scene, with: error)
        let found = try ErrorCheck.check(command, of: operation, in: scene, error)
        #expect(found == expected, "\(error) from fsync \(index)")
      }
    }

    // Some file systems can neither move a name exclusively nor exchange two names.
    @Test(
      .needs(.strace), arguments: [FaultOperation.create, .key, .move, .moveDirectory, .rewrap])
    func `A file gets its name where the system can only rename and link`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      let calls = try SystemCall.all(of: operation, in: scene).filter { $0.name == "renameat2" }
      try #require(!calls.isEmpty)
      for error in ["ENOSYS", "EINVAL"] {
        try scene.reset(for: operation)
        let command = try calls[0].fail(operation, in: scene, with: error)
        let found = try ErrorCheck.check(command, of: operation, in: scene, error)
        #expect(found == "success, new", "\(error): \(command.output)")
      }
    }

    // Guarded memory cannot be allocated; short secrets share pages that exist already.
    @Test(.needs(.strace), arguments: [FaultOperation.identity, .allSeal])
    func `The error of a failed allocation for secrets names the lack of memory`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      var ledger = Ledger("ENOMEM at allocations for secrets in \(operation.testDescription)")
      let calls = try SystemCall.all(of: operation, in: scene).filter {
        // Four pages (two guards, the header of libsodium, the secret), or the memory of Argon2id.
        !$0.isAfterReturn && ($0.anonymousLength == 16_384 || $0.anonymousLength >= 64 << 20)
      }
      try #require(!calls.isEmpty)
      for call in calls {
        try scene.reset(for: operation)
        let command = try call.fail(operation, in: scene, with: "ENOMEM")
        #expect(command.output.contains("failed insufficientMemory"), "\(call.description)")
        ledger.count(try ErrorCheck.check(command, of: operation, in: scene, call.description))
      }
      try ledger.close()
    }

    // An interruption is not a failure.
    @Test(.needs(.strace), arguments: FaultOperation.all)
    func `A system call is repeated when a signal interrupts it`(operation: FaultOperation) throws {
      let scene = try Scene()
      var ledger = Ledger("EINTR three times at every system call of \(operation.testDescription)")
      for call in try SystemCall.all(of: operation, in: scene)
      where !call.isAfterReturn && Self.errors[call.name] != nil {
        if ["getdents64", "mlock", "madvise", "fcntl"].contains(call.name) { continue }
        try scene.reset(for: operation)
        let command = try call.fail(operation, in: scene, with: "EINTR", count: 3)
        let found = try ErrorCheck.check(command, of: operation, in: scene, call.description)
        #expect(found == "success, new", "\(call.description): \(command.output)")
        ledger.count(found)
      }
      try ledger.close()
    }
  }
}
