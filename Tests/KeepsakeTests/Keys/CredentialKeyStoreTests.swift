import Foundation
import KeepsakeTesting
import TestSupport
import Testing

@testable import Keepsake

@Suite struct `A key from the service manager` {
  private func store(_ name: String, in directory: String?) -> CredentialKeyStore {
    CredentialKeyStore(
      name: name, environment: directory.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:])
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  // Holds [S-123].
  @Test func `A credential is read, and never made or set aside`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.create(at: directory + "/state-key")
      let store = store("state-key", in: directory)
      #expect(try store.existingKey().isEqual(to: key))
      #expect(try store.existingOrNewKey().isEqual(to: key))
      #expect(keepsakeError { try store.setKeyAside() }?.code == .keyUnavailable)
      // The file was removed while the service runs.
      try FileManager.default.removeItem(atPath: directory + "/state-key")
      #expect(keepsakeError { _ = try store.existingOrNewKey() }?.code == .keyAbsent)
      #expect(try directoryNames(directory) == [])
    }
  }

  @Test func `Each fault of a credential has its own message`() throws {
    try withTemporaryDirectory { directory in
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: directory + "/short"))
      try setMode(0o400, of: directory + "/short")
      _ = try SealKey.create(at: directory + "/open")
      try setMode(0o644, of: directory + "/open")
      let cases: [(String, String?, KeepsakeError.Code)] = [
        ("key", directory, .keyAbsent), ("key", nil, .keyUnavailable),
        ("key", "credentials", .keyUnavailable), ("short", directory, .keyDamaged),
        ("open", directory, .keyUnavailable), ("../key", directory, .keyUnavailable),
        ("", directory, .keyUnavailable), ("..", directory, .keyUnavailable),
      ]
      var sentences: Set<String> = []
      for (name, place, code) in cases {
        let error = keepsakeError { _ = try store(name, in: place).existingKey() }
        #expect(error?.code == code, "\(name)")
        if ["../key", "", ".."].contains(name) {
          #expect(error?.message.hasPrefix("\"\(name)\" cannot name a credential") == true)
        }
        if let message = error?.message { sentences.insert(message) }
      }
      #expect(sentences.count == cases.count - 1)
      #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }
  }

  @Test func `A key store raises the cost of a passphrase, and Data can be sealed`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.state.keyPath
      try DurableFile.createDirectory(at: directory.state.path)
      let secret = try SealPassphrase("p")
      let cheap = PassphraseKeyStore(path: path, cost: .forTests)
      #expect(try !cheap.needsUpgrade())
      let key = try SealKey.create(at: path, passphrase: secret, cost: .forTests)
      #expect(try !cheap.needsUpgrade())
      let store = PassphraseKeyStore(path: path, cost: .constrained)
      #expect(try store.needsUpgrade())
      try await store.changePassphrase(from: secret, to: secret)
      #expect(try !store.needsUpgrade())
      let sealed = try SealedFile.seal(Data([1, 2]).span, for: [.key(key)])
      #expect(try SealedFile.open(bytes: sealed, with: [.key(key)]).read() == [1, 2])
      try SealedFile.seal(Data([3]).span, to: path + "2", for: [.key(key)])
      #expect(try SealedFile.open(path + "2", with: [.key(key)]).read() == [3])
    }
  }
}
