import Foundation
import Keepsake
import KeepsakeTesting
import TestSupport
import Testing

private struct Counter: Codable, Equatable {
  var count = 0
}

@Suite struct `A store under a passphrase` {
  private func store(
    _ path: String, _ text: String = "sesame", cost: PassphraseCost = .forTests,
    patience: Duration = .seconds(60)
  ) -> SealedValueStore<Counter> {
    SealedValueStore(
      path: path, key: .passphrase(text, cost: cost), default: Counter(), patience: patience)
  }

  /// The salt and the cost in the slot of a file that is sealed for one passphrase (Spec/seal.md, sections 2 and 4).
  private func slot(_ path: String) throws -> (salt: [UInt8], cost: [UInt8]) {
    let bytes = try contents(of: path)
    return (Array(bytes[128 + 24..<128 + 40]), Array(bytes[128 + 4..<128 + 12]))
  }

  @Test func `A store keeps the salt and the cost of the file that it replaces`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      let first = store(path)
      try first.save(Counter(count: 1))
      let (salt, cost) = try slot(path)
      try first.save(Counter(count: 2))
      try store(path).update { $0.count += 1 }
      #expect(try slot(path).salt == salt && slot(path).cost == cost)
      let value: Counter = try SealedValue.load(from: path, with: .passphrase("sesame"))
      #expect(value.count == 3)
    }
  }

  // The passphrase is derived before the lock is taken, also when the app gives it as one of several keys.
  @Test func `A store of recipients keeps the salt of the file that it replaces`() throws {
    try withTemporaryDirectory { folder in
      func storeOfRecipients() throws -> SealedValueStore<Counter> {
        SealedValueStore(
          path: folder + "/counter",
          key: .recipients(
            [.passphrase(try SealPassphrase("sesame"), cost: .forTests)],
            identities: [
              .passphrase(try SealPassphrase("Sesame")), .passphrase(try SealPassphrase("sesame")),
            ]), default: Counter())
      }
      try storeOfRecipients().save(Counter(count: 1))
      let salt = try slot(folder + "/counter").salt
      let later = try storeOfRecipients()
      for _ in 0..<2 { try later.update { $0.count += 1 } }
      #expect(try slot(folder + "/counter").salt == salt)
      #expect(try store(folder + "/counter").load().count == 3)
    }
  }

  @Test func `A store with another cost draws a new salt`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      try store(path).save(Counter(count: 1))
      let (salt, cost) = try slot(path)
      let dearer = store(path, cost: .constrained)
      try dearer.update { $0.count += 1 }
      #expect(try slot(path).salt != salt && slot(path).cost != cost)
      #expect(try store(path).load().count == 2)
    }
  }

  @Test func `A store derives again when the file has another salt`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      let first = store(path)
      try first.save(Counter(count: 1))
      let salt = try slot(path).salt
      try FileManager.default.removeItem(atPath: path)
      try store(path).save(Counter(count: 10))
      let other = try slot(path).salt
      #expect(other != salt)
      try first.update { $0.count += 1 }
      #expect(try first.load().count == 11 && slot(path).salt == other)
    }
  }

  @Test func `A wrong passphrase opens nothing and overwrites nothing`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      try store(path).save(Counter(count: 1))
      let bytes = try contents(of: path)
      let wrong = store(path, "Sesame")
      for _ in 0..<2 {
        let error = #expect(throws: KeepsakeError.self) { try wrong.update { $0.count = 9 } }
        #expect(error?.code == .keyWrong)
      }
      let error = #expect(throws: KeepsakeError.self) { try wrong.save(Counter()) }
      #expect(error?.code == .valueChanged)
      #expect(try contents(of: path) == bytes)
      let empty = #expect(throws: KeepsakeError.self) { try store(path, "").load() }
      #expect(empty?.code == .keyUnavailable)
    }
  }

  /// Lets twelve processes update one file at once, and checks that each of them succeeds.
  private func runTwelve(_ path: String, _ mode: String) throws {
    let bundle = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [bundle, bundle.deletingLastPathComponent()].map { $0.path + "/saver-subject" }
        .first(where: FileManager.default.isExecutableFile))
    let processes = try (0..<12).map { _ in
      try Process.run(URL(fileURLWithPath: program), arguments: [path, mode])
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test func `Twelve processes update one file at once, and each update counts`() throws {
    try withTemporaryDirectory { folder in
      try runTwelve(folder + "/counter", "update")
      #expect(try store(folder + "/counter").load().count == 12)
    }
  }

  @Test
  func `Twelve processes update one file of recipients at once, and each update counts`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      let own = try X25519Identity.create(at: path + ".identity")
      let other = try X25519Identity.create(at: path + ".other")
      try runTwelve(path, "update recipients")
      for identity in [SealIdentity.x25519(own), .x25519(other)] {
        let value: Counter = try SealedValue.load(
          from: path, with: .recipients([], identities: [identity]))
        #expect(value.count == 12)
      }
    }
  }

  @Test
  func `Stores of one process update one file at once, and each update counts`() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/counter"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { try await self.store(path).update { $0.count += 1 } }
        }
        try await group.waitForAll()
      }
      #expect(try await store(path).load().count == 8)
    }
  }

  @Test func `A store waits for the lock as long as it is told to`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/counter"
      let lock = try FileLock(at: path + ".lock")
      let error = #expect(throws: KeepsakeError.self) {
        try store(path, patience: .milliseconds(1)).save(Counter())
      }
      #expect(error?.code == .stateInUse && error?.message.contains("0.001 seconds") == true)
      withExtendedLifetime(lock) {}
    }
  }
}
