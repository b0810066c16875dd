import Foundation
import Testing

@testable import KeepsakeSeal

@Suite struct `Removing for good` {
  @Test(arguments: [0, 1, 4_096, 10_000])
  func `An erased file is gone, and its bytes with it`(count: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/secret"
      try write(pattern(count), to: path)
      // A second name shows what became of the bytes.
      #expect(run("ln", path, directory + "/witness"))
      #expect(run("chmod", "400", path))
      #expect(try DurableFile.erase(at: path) == 1)
      #expect(try names(in: directory) == ["witness"])
      #expect(try contents(of: directory + "/witness") == [UInt8](repeating: 0, count: count))
      #expect(try DurableFile.erase(at: directory + "/witness") == 0)
    }
  }

  @Test func `Nothing but a regular file is erased`() throws {
    try withTemporaryDirectory { directory in
      try write([1], to: directory + "/target")
      #expect(run("ln", "-s", directory + "/target", directory + "/link"))
      #expect(code { try DurableFile.erase(at: directory + "/link") } == .notRegularFile)
      #expect(code { try DurableFile.erase(at: directory) } == .notRegularFile)
      #expect(code { try DurableFile.erase(at: directory + "/absent") } == .fileAbsent)
      #expect(try contents(of: directory + "/target") == [1])
    }
  }

  @Test func `The names in a directory are sorted, and an absent one has none`() throws {
    try withTemporaryDirectory { directory in
      for name in ["b", "a", ".c"] { try write([], to: directory + "/" + name) }
      #expect(try DurableFile.names(in: directory) == [".c", "a", "b"])
      #expect(try DurableFile.names(in: directory + "/absent") == [])
      #expect(code { try DurableFile.names(in: directory + "/a") } == .notDirectory)
    }
  }

  @Test func `Only an empty directory is removed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/inner"
      #expect(run("mkdir", path))
      try write([], to: path + "/file")
      #expect(code { try DurableFile.removeDirectory(at: path) } == .systemCallFailed)
      try DurableFile.remove(at: path + "/file")
      try DurableFile.removeDirectory(at: path)
      #expect(try names(in: directory) == [])
      #expect(code { try DurableFile.removeDirectory(at: path) } == .fileAbsent)
    }
  }

  @Test func `A combined key depends on both keys and on their order`() throws {
    let (a, b) = (try SealKey.generate(), try SealKey.generate())
    let combined = try a.combined(with: b)
    #expect(combined.isEqual(to: try a.combined(with: b)))
    for other in [a, b, try b.combined(with: a), try a.combined(with: a)] {
      #expect(!combined.isEqual(to: other))
    }
  }

  // Spec/seal.md, section 9.3; the digest was computed with Python's hashlib.
  @Test func `A combined key is the published derivation`() throws {
    let bytes = Array(UInt8(0)..<64)
    let (a, b) = (Array(bytes[..<32]), Array(bytes[32...]))
    let combined = try SealKey(copying: a.span).combined(with: SealKey(copying: b.span))
    let hex = combined.secret.publicBytes(0..<32).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    #expect(hex.joined() == "80c1fa63c93c3e5200bed1a9a9296a6b4532e48cd829d0a6c66b6c1a3cac4312")
  }
}
