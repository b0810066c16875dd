import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `A directory that is listed` {
  @Test func `The names in a directory are sorted, and an absent one has none`() throws {
    try withTemporaryDirectory { directory in
      for name in ["b", "a", ".c", "..d"] { try write([], to: directory + "/" + name) }
      #expect(try DurableFile.names(in: directory) == ["..d", ".c", "a", "b"])
      #expect(try DurableFile.names(in: directory + "/absent") == [])
      #expect(code { try DurableFile.names(in: directory + "/a") } == .notDirectory)
      #expect(try DurableFile.names(in: directory, limit: 4).count == 4)
      let failure = error { try DurableFile.names(in: directory, limit: 3) }
      #expect(failure?.code == .limitExceeded && failure?.path == directory)
    }
  }
}
