import Foundation
import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `A key file` {
  private func withKeyFile(_ body: (String, SealKey) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/app.key"
      try body(path, try SealKey.create(at: path))
    }
  }

  @Test func `The key that was created is read back`() throws {
    try withKeyFile { path, key in
      let read = try SealKey.read(at: path)
      #expect(read.isEqual(to: key))
      #expect(try permissions(of: path) == 0o600)
      #expect(try contents(of: path).count == 48)
    }
  }

  // Holds [S-122].
  @Test func `An existing file is never replaced`() throws {
    try withKeyFile { path, key in
      let failure = error { try SealKey.create(at: path) }
      #expect(failure?.code == .alreadyExists)
      #expect(failure?.path == path)
      let read = try SealKey.read(at: path)
      #expect(read.isEqual(to: key))
      #expect(try names(in: (path as NSString).deletingLastPathComponent) == ["app.key"])
    }
  }

  @Test func `A file that appears while a key is being written is not replaced`() throws {
    try withKeyFile { path, key in
      let other = try SealKey.generate()
      #expect(code { try other.write(to: path) } == .alreadyExists)
      #expect(try SealKey.read(at: path).isEqual(to: key))
      #expect(try names(in: (path as NSString).deletingLastPathComponent) == ["app.key"])
    }
  }

  @Test func `Two key files hold different keys`() throws {
    try withKeyFile { _, first in
      try withKeyFile { _, second in #expect(!first.isEqual(to: second)) }
    }
  }

  @Test func `A key file in an absent directory is an absent key file`() throws {
    try withTemporaryDirectory { directory throws in
      #expect(code { try SealKey.read(at: directory + "/none.key") } == .keyFileAbsent)
      #expect(code { try SealKey.read(at: directory + "/none/none.key") } == .keyFileAbsent)
      #expect(code { try SealKey.create(at: directory + "/none/new.key") } == .directoryAbsent)
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test(arguments: [0, 1, 47, 49, 4096])
  func `A key file of another length is refused`(length: Int) throws {
    try withKeyFile { path, _ in
      try write(Array((try contents(of: path) + pattern(5000)).prefix(length)), to: path)
      try setPermissions(0o600, of: path)
      #expect(code { try SealKey.read(at: path) } == .keyFileWrongLength)
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666, 0o777])
  func `A key file that others can access is refused`(mode: Int) throws {
    try withKeyFile { path, _ in
      try setPermissions(mode, of: path)
      let failure = error { try SealKey.read(at: path) }
      #expect(failure?.code == .keyFileOpenPermissions)
      #expect(failure?.description.contains("chmod 600 '\(path)'") == true)
    }
  }

  @Test func `A stricter mode is accepted`() throws {
    try withKeyFile { path, key in
      try setPermissions(0o400, of: path)
      #expect(try SealKey.read(at: path).isEqual(to: key))
    }
  }

  @Test func `A key file of another user is refused`() throws {
    try withKeyFile { path, _ in
      // Only the superuser can give a file away; other users skip this test.
      guard run("chown", "12345", path) else { return }
      #expect(code { try SealKey.read(at: path) } == .keyFileNotOwned)
      // A service's credential may belong to root, and to no third user.
      #expect(code { try SealKey.readCredential(at: path) } == .keyFileNotOwned)
    }
  }

  @Test func `Every flipped bit of a key file is detected`() throws {
    try withKeyFile { path, _ in
      let bytes = try contents(of: path)
      for bit in 0..<bytes.count * 8 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        let secret = try SecretBytes(copying: damaged.span)
        let expected: SealError.Code = bit < 64 ? .notKeyFile : .keyFileDamaged
        #expect(code { try KeyFile.decode(secret) } == expected)
      }
    }
  }

  @Test func `A directory, link, pipe or device is refused as a key file without blocking`() throws
  {
    try withKeyFile { path, _ in
      let directory = (path as NSString).deletingLastPathComponent
      try FileManager.default.createSymbolicLink(
        atPath: path + ".link", withDestinationPath: path)
      #expect(run("mkfifo", "-m", "600", path + ".pipe"))
      for other in [directory, path + ".link", path + ".pipe", "/dev/zero"] {
        let failure = error { try SealKey.read(at: other) }
        #expect(failure?.code == .notRegularFile)
        #expect(failure?.path == other)
      }
    }
  }

  @Test func `A raw key has exactly 32 bytes`() throws {
    for count in [0, 31, 33, 64] {
      #expect(code { try SealKey(copying: pattern(count).span) } == .invalidKeyLength)
    }
    let key = try SealKey(copying: pattern(32).span)
    #expect(key.isEqual(to: try SealKey(copying: pattern(32).span)))
    var other = pattern(32)
    other[31] ^= 0x80
    #expect(!key.isEqual(to: try SealKey(copying: other.span)))
  }
}
