import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `Files that dead writers left` {
  private let stray = ".0123456789abcdef.sealtmp"

  @Test func `A stale temporary is removed by the next writer`() throws {
    try withTemporaryDirectory { directory in
      try write([1], to: directory + "/" + stray)
      try DurableFile.replace(at: directory + "/f", with: [2].span)
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A locked temporary belongs to a living writer and stays`() throws {
    try withTemporaryDirectory { directory in
      do {
        let living = try Directory(path: directory).createFile(stray)
        try living.lockWithoutWaiting()
        try DurableFile.replace(at: directory + "/f", with: [2].span)
        #expect(try names(in: directory) == [stray, "f"])
        withExtendedLifetime(living) {}
      }
      // A process that another test has just started shares the lock until it runs its own program.
      for _ in 0..<10_000 where try names(in: directory).contains(stray) {
        try DurableFile.replace(at: directory + "/f", with: [3].span)
      }
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A writer protects its temporary from collectors until it is done`() throws {
    try withTemporaryDirectory { directory in
      let pending = try PendingFile(at: directory + "/f")
      try pending.write([1].span, at: 0)
      try DurableFile.replace(at: directory + "/g", with: [2].span)
      try pending.replaceTarget()
      #expect(try contents(of: directory + "/f") == [1])
      #expect(try names(in: directory) == ["f", "g"])
    }
  }

  @Test func `A finished writer does not remove a file that took its temporary name`() throws {
    try withTemporaryDirectory { directory in
      for isNew in [true, false] {
        let name: String
        do {
          let pending = try PendingFile(at: directory + "/f")
          name = try #require(pending.temporaryName)
          if isNew { try pending.createTarget() } else { try pending.replaceTarget() }
          try write([1], to: directory + "/" + name)
          withExtendedLifetime(pending) {}
        }
        #expect(try names(in: directory) == [name, "f"])
      }
    }
  }

  // Holds [S-121].
  @Test func `A name that another file has got since the opening is not removed`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let finished = try directory.createFile(stray)
      try directory.replace("finished", with: stray)
      try StaleTemporaries.remove(stray, of: finished, in: directory)
      _ = try directory.createFile(stray)
      try StaleTemporaries.remove(stray, of: finished, in: directory)
      #expect(try names(in: path) == [stray, "finished"])
      // The lock was released, although the file is still open.
      #expect(throws: Never.self) {
        try directory.openForReading("finished").lockWithoutWaiting()
      }
      try StaleTemporaries.remove(stray, of: directory.openForReading(stray), in: directory)
      #expect(try names(in: path) == ["finished"])
    }
  }

  // The test reproduces a defect: in a full directory, the temporaries of a killed writer stayed for ever.
  @Test func `A stale temporary is found among any number of other names`() throws {
    try withTemporaryDirectory { directory in
      let files = try Directory(path: directory)
      for number in 0..<9_000 { _ = try files.createFile("f\(number)") }
      for number in 0..<20 { _ = try files.createFile(".00000000000000\(10 + number).sealtmp") }
      try DurableFile.replace(at: directory + "/f0", with: [2].span)
      #expect(try names(in: directory).count == 9_000)
    }
  }

  // Holds [S-121].
  @Test func `Files with other names, and irregular files, are not collected`() throws {
    try withTemporaryDirectory { directory in
      let others = [
        ".0123456789abcde.sealtmp", ".0123456789abcdef0.sealtmp", ".0123456789ABCDEF.sealtmp",
        "0123456789abcdef.sealtmp", ".0123456789abcdef.sealtmp2", ".0123456789abcdeg.sealtmp",
        "x.0123456789abcdef.sealtmp", ".sealtmp",
      ]
      for name in others { try write([1], to: directory + "/" + name) }
      let link = ".ffffffffffffffff.sealtmp"
      try FileManager.default.createSymbolicLink(
        atPath: directory + "/" + link, withDestinationPath: others[0])
      let subdirectory = ".eeeeeeeeeeeeeeee.sealtmp"
      try DurableFile.createDirectory(at: directory + "/" + subdirectory)
      let pipe = ".dddddddddddddddd.sealtmp"
      #expect(run("mkfifo", directory + "/" + pipe))
      try DurableFile.replace(at: directory + "/f", with: [2].span)
      #expect(
        try names(in: directory) == (others + ["f", link, pipe, subdirectory]).sorted())
    }
  }

  @Test func `The name of an exchange tells its two files and its target`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let files = try ["a", "b", "c"].map { name in
        try write([1], to: path + "/" + name)
        return try #require(try directory.status(of: name))
      }
      let text = ExchangeName(placing: files[0], over: files[1], at: "target").text
      let name = try #require(ExchangeName(text))
      #expect(files.map(name.isPlaced) == [true, false, false])
      #expect(files.map(name.includes) == [true, true, false])
      #expect(name.isFor("target") && !name.isFor("other"))
    }
  }

  // Holds [S-111].
  @Test func `A temporary name is 16 hexadecimal digits between a dot and the suffix`() throws {
    let name = TemporaryName.make()
    #expect(TemporaryName.matches(name))
    #expect(name.wholeMatch(of: /\.[0-9a-f]{16}\.sealtmp/) != nil)
    #expect(TemporaryName.make() != name)
  }

  @Test func `A temporary file of another user stays`() throws {
    // Only the superuser can give a file away; other users skip this test.
    guard geteuid() == 0 else { return }
    try withTemporaryDirectory { directory in
      try write([1], to: directory + "/" + stray)
      #expect(run("chown", "12345", directory + "/" + stray))
      DurableFile.removeStaleTemporaries(besides: directory + "/f")
      #expect(try names(in: directory) == [stray])
      #expect(run("chown", "0", directory + "/" + stray))
      DurableFile.removeStaleTemporaries(besides: directory + "/f")
      #expect(try names(in: directory) == [])
      DurableFile.removeStaleTemporaries(besides: directory + "/absent/f")
    }
  }
}
