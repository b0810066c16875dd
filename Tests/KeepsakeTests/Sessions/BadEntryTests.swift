import Foundation
import Testing

@testable import Keepsake

// The tests put foreign files into the folder of the sessions, or into the folder of one session.
@MainActor
@Suite struct `Unexpected entries in the folder of the sessions` {
  private func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test func `The role of a file in a session depends on its whole name`() {
    let roles: [(String, SessionFiles.Role)] = [
      ("restoring", .mark), ("restoring.set-aside-1", .mark), ("restoring-2.set-aside-1", .foreign),
      ("key", .key), ("key.set-aside-1", .key), ("keys.set-aside-1", .foreign), ("keys", .foreign),
      ("session", .record), ("sessions", .foreign), ("lock", .lock), ("locks", .foreign),
      ("state.keepsake", .archive), ("state.keepsake.damaged-1", .archive),
      ("state.keepsake2", .foreign), (".a.sealtmp", .temporary), ("a.sealtmp", .foreign),
      (".a.sealswap", .temporary), ("a.sealswap", .foreign), (".sealswap.a", .foreign),
    ]
    for (name, role) in roles { #expect(SessionFiles.Role(of: name) == role, "\(name)") }
  }

  @Test(arguments: ["file", "dangling link", "link", "pipe", "foreign folder"])
  func `An entry that is not a session is left alone`(kind: String) async throws {
    try await TemporaryDirectory.with { directory in
      let good = try await directory.save("good")
      let odd = directory.state.sessionsPath + "/odd.session"
      switch kind {
      case "file": try directory.write(Data([1]), to: odd)
      case "dangling link": try run("ln", "-s", "/nowhere at all", odd)
      case "link": try run("ln", "-s", directory.path("", of: good), odd)
      case "pipe": try run("mkfifo", odd)
      default:
        try run("mkdir", odd)
        try directory.write(Data([1]), to: odd + "/photograph.jpeg")
      }
      let sessions = directory.sessions
      #expect(try await sessions.list().map(\.identifier) == [good])
      #expect(try await sessions.prune() == [])
      let resumed = try await sessions.resume()
      #expect(try await directory.text(in: resumed) == "good")
      let new = try await sessions.open()
      try await new.save([1], previous: .replace)
      #expect(try FileManager.default.attributesOfItem(atPath: odd)[.type] != nil)
      if kind == "foreign folder" {
        #expect(try FileManager.default.contentsOfDirectory(atPath: odd) == ["photograph.jpeg"])
      }
    }
  }

  @Test(arguments: ["pipe", "link", "folder"])
  func `An entry with the name of a lock affects only its session`(kind: String) async throws {
    try await TemporaryDirectory.with { directory in
      let (good, bad) = (try await directory.save("good", age: 60), try await directory.save("bad"))
      let lock = directory.path("lock", of: bad)
      try FileManager.default.removeItem(atPath: lock)
      switch kind {
      case "pipe": try run("mkfifo", lock)
      case "link": try run("ln", "-s", "/dev/null", lock)
      default: try run("mkdir", lock)
      }
      let sessions = directory.sessions
      let listed = try await sessions.list()
      #expect(listed.map(\.identifier) == [good, bad])
      #expect(listed.map { $0.problem?.code } == [nil, .storeUnavailable])
      #expect(listed[1].description.contains(lock))
      let removals = try await sessions.prune()
      #expect(removals.map(\.identifier) == [bad] && removals.map(\.cause) == [.unreadable])
      #expect(removals.first?.failure == listed[1].problem)
      // It cannot be removed, and no other session is removed instead.
      let policy = SessionPolicy(maximumCount: 1)
      #expect(try await StateSessions(in: directory.state, policy: policy).prune() == removals)
      let resumed = try await sessions.resume()
      #expect(try await directory.text(in: resumed) == "good")
      let error = await thrownError { _ = try await sessions.open(bad) }
      #expect(error?.code == .storeUnavailable && error?.message.contains(lock) == true)
      try await directory.save("first of its own")
    }
  }

  @Test
  func `A session that cannot be erased is reported, and holds up no other session`() async throws {
    try await TemporaryDirectory.with { directory in
      let good = try await directory.save("good", age: 60)
      let stuck = try await directory.save("stuck")
      try SessionRecord(.discarded).write(to: directory.path("session", of: stuck))
      let mark = directory.path("restoring", of: stuck)
      try run("mkdir", "-p", mark + "/something in it")
      let sessions = directory.sessions
      for _ in 0..<2 {
        let removals = try await sessions.prune()
        #expect(removals.map(\.identifier) == [stuck] && removals.map(\.cause) == [.discarded])
        #expect(removals.first?.failure?.message.contains(mark) == true)
      }
      #expect(!directory.exists(directory.path("key", of: stuck)), "the key is removed first")
      let resumed = try await sessions.resume()
      #expect(resumed.identifier == good)
      #expect(await code { try await sessions.open(stuck) } == .storeUnavailable)
      try run("rm", "-r", mark)
      #expect(try await sessions.prune() == [SessionRemoval(identifier: stuck, cause: .discarded)])
    }
  }

  @Test func `A foreign file is not erased, even when its name begins like that of the key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state", age: 90)
      let foreign = [
        "key.damaged-1", "key.pem", "key.pem-1", "key.set-aside-", "key.set-aside-01", "keynote",
        "notes.txt",
      ]
      for file in foreign {
        try directory.write(Data("mine".utf8), to: directory.path(file, of: name))
      }
      let keys = ["key", "key.set-aside-1", "key.set-aside-12"]
      for (number, file) in keys.enumerated() {
        if file != "key" {
          try directory.write(Data(repeating: 7, count: 48), to: directory.path(file, of: name))
        }
        try FileManager.default.linkItem(
          atPath: directory.path(file, of: name),
          toPath: directory.url.appendingPathComponent("witness-\(number)").path)
      }
      let policy = SessionPolicy(maximumCount: 0)
      let removals = try await StateSessions(in: directory.state, policy: policy).prune()
      #expect(
        removals == [
          SessionRemoval(
            identifier: name, cause: .overBudget, foreignNames: foreign, otherKeyNames: 3)
        ])
      #expect(removals.first?.description.contains("other names: 3") == true)
      #expect(removals.first?.description.contains("keynote") == true)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path("", of: name)).sorted()
          == foreign)
      for file in foreign {
        #expect(try directory.contents(directory.path(file, of: name)) == Data("mine".utf8))
      }
      for number in keys.indices {
        let witness = directory.url.appendingPathComponent("witness-\(number)").path
        #expect(try directory.contents(witness) == Data(count: 48), "\(keys[number])")
      }
      #expect(try await directory.sessions.list() == [])
      #expect(try await directory.sessions.prune() == [])
    }
  }

  @Test func `A link with the name of a key is removed, and its target is not`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state")
      let key = directory.path("key", of: name)
      let target = directory.url.appendingPathComponent("target").path
      try FileManager.default.moveItem(atPath: key, toPath: target)
      let bytes = try directory.contents(target)
      try run("ln", "-s", target, key)
      try await directory.sessions.remove(name)
      #expect(try directory.sessionNames() == [] && directory.contents(target) == bytes)
    }
  }

  @Test func `A file whose name is not UTF-8 holds up nothing and stays`() async throws {
    try await TemporaryDirectory.with { directory in
      let session = try await directory.save("good")
      let folder = directory.path("", of: session)
      try run("sh", "-c", "cd \"$0\" && touch \"$(printf 'r\\351')\"", folder)
      try run("sh", "-c", "cd \"$0\" && touch \"$(printf 's\\351')\"", directory.state.sessionsPath)
      let sessions = directory.sessions
      #expect(try await sessions.list().map(\.problem) == [nil])
      #expect(try await sessions.prune() == [])
      try await sessions.remove(session)
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).count == 1)
    }
  }

  @Test func `A file whose name only ends like a temporary one's is not removed`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state")
      for stray in ["notes.sealtmp", "notes.sealswap", ".0123456789abcdef.sealtmp"] {
        try directory.write(Data("x".utf8), to: directory.path(stray, of: name))
      }
      try await directory.sessions.remove(name)
      #expect(directory.exists(directory.path("notes.sealtmp", of: name)))
      #expect(directory.exists(directory.path("notes.sealswap", of: name)))
      #expect(!directory.exists(directory.path(".0123456789abcdef.sealtmp", of: name)))
    }
  }

  @Test
  func `A file that a killed writer left is removed, even if it is a second name of the app's key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state")
      let path = directory.state.sessionsPath
      let stray = path + "/.0123456789abcdef.sealtmp"
      try FileManager.default.linkItem(atPath: path + "/key", toPath: stray)
      #expect(try await directory.sessions.prune() == [])
      #expect(!directory.exists(stray))
      let session = try await directory.sessions.open(name)
      #expect(try await directory.text(in: session) == "state")
    }
  }
}
