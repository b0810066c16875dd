import Keepsake
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The article on journals` {
  @Test func `The example records visits, and reads the long ones`() async throws {
    try await withTemporaryDirectory { folder in
      let key = try SealKey.generate()
      let numbers = [
        try await recordVisits(in: folder, key: key), try await recordVisits(in: folder, key: key),
      ]
      #expect(numbers == [1, 3])
      let long = try await longVisits(in: folder, key: key)
      #expect(long == ["1: help", "3: help"])
    }
  }

  @Test func `The example follows a chat while it grows`() async throws {
    try await withTemporaryDirectory { folder in
      let (key, path) = (try SealKey.generate(), folder + "/chat")
      let chat = try await Journal<String>.open(at: path, for: .key(key))
      for index in 0..<30 { try await chat.append("\(index)") }
      let (shown, continuation) = AsyncStream<String>.makeStream()
      let task = Task { try await followChat(at: path, key: key) { continuation.yield($0) } }
      var seen: [String] = []
      for await text in shown {
        seen.append(text)
        if text == "29" { try await chat.append("new") }
        if text == "new" { break }
      }
      task.cancel()
      #expect(seen == (10..<30).map { "\($0)" } + ["new"])
    }
  }

  @Test func `The log for support is read by support alone`() async throws {
    try await withTemporaryDirectory { folder in
      let (path, support) = (folder + "/log", try X25519Identity.generate())
      let log = try await openSupportLog(at: path, for: support.recipient)
      try await log.append("started")
      #expect(throws: JournalError.self) { try log.last(1) }
      #expect(try readSupportLog(at: path, with: support) == ["started"])
    }
  }

  @Test func `The rolling log is opened again, and its pin shows an older copy`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/log", try SealKey.generate())
      let log = try openRollingLog(at: path, key: key)
      let pin = try #require(try appendAndPin("one", to: log))
      _ = try appendAndPin("two", to: log)
      try checkTrail(at: path, key: key, pin: pin)
      #expect(throws: JournalError.self) {
        try checkTrail(at: path, key: SealKey.generate(), pin: pin)
      }
    }
  }

  @Test func `The shelf has each title that was added`() async throws {
    try await withTemporaryDirectory { folder in
      let first = try await addTitle("Ulysses", to: makeShelf(in: folder))
      let second = try await addTitle("Emma", to: makeShelf(in: folder))
      let shelf = try await makeShelf(in: folder).load()
      #expect(first == 1 && second == 2)
      #expect(shelf == Shelf(titles: [1: "Ulysses", 2: "Emma"]))
    }
  }
}
