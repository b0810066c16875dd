import KeepsakeFiles
import TestSupport
import Testing

@Suite struct `The page of KeepsakeFiles` {
  @Test func `The example keeps the lines of two calls, and waits for a lock`() throws {
    try withTemporaryDirectory { folder in
      for line in ["one", "two"] { try add(line, toLogAt: folder + "/log") }
      #expect(
        try DurableFile.read(at: folder + "/log", upTo: 100) == Array("one\ntwo\n".utf8))
      let error = #expect(throws: FileError.self) { try add("three", toLogAt: folder + "/no/log") }
      #expect(error?.code == .directoryAbsent)
    }
  }
}
