import Foundation
import Keepsake
import KeepsakeRemote
import Testing

/// Runs the functions of the article.
@Suite(.enabled(if: Servers.radosgw != nil))
struct `The code of the article on states in an object store` {
  @Test func `A state follows its user, and the app decides about a conflict`() async throws {
    try await withFolder { folder in
      let bucket = try Servers.store()
      let (mine, other) = (try X25519Identity.generate(), try X25519Identity.generate())
      func launch(_ name: String, _ identity: X25519Identity) throws -> RemoteStateStore {
        try makeStore(
          in: bucket, directory: StateDirectory(path: folder + "/" + name, application: "notes"),
          machines: [mine.recipient, other.recipient], mine: identity)
      }
      let (first, second) = (try launch("first", mine), try launch("second", other))
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      #expect(try await second.load() == .archive([1], failedLaunchCount: 0))
      try await second.save([2], previous: .replace)
      try await first.save([3], previous: .replace)
      try await settle(first) { archive in
        #expect(archive == [2])
        return true
      }
      #expect(first.status.isCurrent)
      #expect(try await second.load() == .archive([3], failedLaunchCount: 0))
      try await first.remove()
    }
  }

  @Test func `A value is shared`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    let (mine, other) = (try X25519Identity.generate(), try X25519Identity.generate())
    let machines = [mine.recipient, other.recipient]
    try await shareColor("red", in: object, machines: machines, mine: mine)
    let value = RemoteValueStore(
      object: object,
      key: .recipients(machines.map { .x25519($0) }, identities: [.x25519(other)]),
      default: SharedSettings())
    #expect(try await value.load().color == "red")
    try await object.delete()
  }

  @Test func `An object is published and read in part, and a stream replaces it`() async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    let book = try await Samples.book(pages: 3, key: key)
    let first = try await publish(book, as: object, replacing: nil)
    #expect(first != nil)
    #expect(try await publish(book, as: object, replacing: nil) == nil)
    #expect(try await title(ofPage: 2, in: object, key: key) == "page 1")
    #expect(try await publish([1], as: object, replacing: first) != nil)
    try await upload([[1, 2], [3]], to: object, key: key)
    let sealed = try await object.content()
    #expect(try SealedFile.open(bytes: sealed, with: [.key(key)]).read() == [1, 2, 3])
    try await object.delete()
  }

  @Test func `A copy of a journal is kept, and its last lines are read`() async throws {
    try await withFolder { folder in
      let (bucket, key) = (try Servers.store(), try SealKey.generate())
      let journal = try journal(at: folder + "/log", for: key)
      let copy = Task { try await keepCopy(of: journal, in: bucket) }
      // The objects of the probe are the first ones.
      while try await !bucket.list(prefix: "logs/mine/")
        .contains(where: { $0.key.hasSuffix(".journal") })
      { await Task.yield() }
      copy.cancel()
      try await copy.value
      #expect(try await lastLines(2, in: bucket, key: key) == ["two", "three"])
      for entry in try await bucket.list(prefix: "logs/mine/") {
        try await bucket.object(entry.key).delete()
      }
    }
  }

  /// A journal of which the first file is closed.
  private func journal(at path: String, for key: SealKey) throws -> Journal<String> {
    let journal = try Journal<String>.open(at: path, for: .key(key))
    _ = try journal.append(contentsOf: ["one", "two", "three"])
    try journal.rotate()
    _ = try journal.append(contentsOf: ["four"])
    return journal
  }
}
