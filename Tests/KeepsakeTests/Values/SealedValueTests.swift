import Foundation
import Keepsake
import TestSupport
import Testing

private struct Settings: Codable, Equatable {
  var name = "Ada"
  var sizes = [12, 14]
}

private struct Account: Codable, Equatable {
  var user = "ada"
  var quota: Int
}

private struct Point: ArchiveRecord, Equatable {
  static let archiveTypeName = "Point"
  var x: Int

  init(x: Int) { self.x = x }

  func encode(to coder: inout ObjectEncoder) { coder.encode(x, forKey: "x") }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(Int.self, forKey: "x")
  }
}

private struct Size: ArchiveRecord {
  static let archiveTypeName = "Size"

  func encode(to coder: inout ObjectEncoder) {}

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {}
}

/// The record as a later version of the program writes it.
private struct Wide: ArchiveRecord {
  static let archiveTypeName = "Extent"
  var width = 256
  var theme = "sepia"

  init() {}

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(width, forKey: "width")
    coder.encode(theme, forKey: "theme")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {}
}

/// The record as this version reads it, with a narrower integer.
private struct Narrow: ArchiveRecord {
  static let archiveTypeName = "Extent"
  var width: UInt8

  func encode(to coder: inout ObjectEncoder) {}

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    width = try coder.decode(UInt8.self, forKey: "width")
  }
}

private struct Themed: Codable {
  enum Theme: String, Codable { case light, dark }
  var theme: Theme
}

/// The values of ``Wide`` in a `Codable` type.
private struct Plain: Codable {
  var width = 256
  var theme = "sepia"
}

private struct PlainNarrow: Codable { var width: UInt8 }

private struct Unstorable: Encodable {
  func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
}

@MainActor
@Suite struct `A value in a file` {
  private static let quick = PassphraseCost(passes: 1, memoryByteCount: 8 << 20)

  @Test func `A value is loaded with its passphrase, key, key store or recipients`() throws {
    try withDirectory { path in
      let identity = try X25519Identity.generate()
      let key = try SealKey.generate()
      let keys: [SealedValueKey] = [
        .passphrase("open sesame", cost: Self.quick), .key(key),
        .keyStore(KeyFileStore(path: path + ".key")),
        .recipients([.x25519(identity.recipient), .key(key)], identities: [.x25519(identity)]),
      ]
      for (number, key) in keys.enumerated() {
        let settings = Settings(name: "\(number)")
        try SealedValue.save(settings, to: path + "\(number)", for: key)
        #expect(
          try SealedValue.load(Settings.self, from: path + "\(number)", with: key) == settings)
        #expect(
          code {
            _ = try SealedValue.load(
              Settings.self, from: path + "\(number)", with: .passphrase("x"))
          } == .keyWrong)
      }
    }
  }

  @Test func `A file that was sealed for another purpose, or not as a value, is refused`() throws {
    try withDirectory { path in
      let bare = try SealKey.generate()
      let key = SealedValueKey.key(bare)
      try SealedValue.save(Settings(name: "a"), to: path, for: key.forPurpose("settings"))
      for other in [key, key.forPurpose("Settings"), key.forPurpose("settings\n")] {
        #expect(
          code { _ = try SealedValue.load(Settings.self, from: path, with: other) } == .wrongPurpose
        )
      }
      let store = SealedValueStore(path: path, key: key, default: Settings())
      #expect(code { try store.update { $0.name = "b" } } == .wrongPurpose)
      #expect(
        try SealedValue.load(from: path, with: key.forPurpose("settings")) == Settings(name: "a"))
      // The same key seals the content again, without a purpose.
      let content = try SealedFile.open(
        path, with: [.key(bare)], context: SealedFile.inspect(path).statedContext
      ).read()
      try SealedFile.seal(content.span, to: path, for: [.key(bare)])
      #expect(
        code { _ = try SealedValue.load(Settings.self, from: path, with: key) } == .wrongPurpose)
      #expect(try SealedFile.inspect(path).statedContext == [])
    }
  }

  @Test
  func `A value that can be a record is stored as one, and another record is refused`() throws {
    try withDirectory { path in
      let key = SealedValueKey.key(try SealKey.generate())
      try SealedValue.save(Point(x: 3), to: path, for: key)
      #expect(try SealedValue.load(from: path, with: key) == Point(x: 3))
      #expect(
        code { _ = try SealedValue.load(Size.self, from: path, with: key) } == .valueUnreadable)
      #expect(
        code { _ = try SealedValue.load(Settings.self, from: path, with: key) } == .valueUnreadable)
    }
  }

  @Test func `A value is saved and loaded without blocking the caller's actor`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/value"
      let key = SealedValueKey.passphrase("open sesame", cost: Self.quick)
      try await SealedValue.save(Settings(name: "later"), to: path, for: key)
      #expect(try await SealedValue.load(Settings.self, from: path, with: key).name == "later")
      try await SealedValue.save(Point(x: 4), to: path, for: key)
      #expect(try await SealedValue.load(Point.self, from: path, with: key) == Point(x: 4))
      let error = await #expect(throws: KeepsakeError.self) {
        try await SealedValue.load(Settings.self, from: path + "none", with: key)
      }
      #expect(error?.code == .valueAbsent)
    }
  }

  @Test
  func `The error of a value that cannot be loaded says why, and the file is unchanged`() throws {
    try withDirectory { path in
      let key = SealedValueKey.key(try SealKey.generate())
      #expect(
        code { _ = try SealedValue.load(Settings.self, from: path, with: key) } == .valueAbsent)
      try SealedValue.save(Settings(), to: path, for: key)
      // The file lacks a key of another type. The error names the key and says what to do.
      let error = #expect(throws: KeepsakeError.self) {
        _ = try SealedValue.load(Account.self, from: path, with: key)
      }
      #expect(error?.code == .valueUnreadable && error?.message.contains("user") == true)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(
        code {
          _ = try SealedValue.load(Settings.self, from: path, with: .key(try SealKey.generate()))
        }
          == .keyWrong)
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(code { _ = try SealedValue.load(Settings.self, from: path, with: key) } == .damaged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test
  func `A value with a number out of range or an unknown case is unreadable, and stays`() throws {
    try withDirectory { path in
      let key = SealedValueKey.key(try SealKey.generate())
      try SealedValue.save(Plain(), to: path, for: key)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let range = #expect(throws: KeepsakeError.self) {
        _ = try SealedValue.load(PlainNarrow.self, from: path, with: key)
      }
      #expect(range?.code == .valueUnreadable && range?.message.contains("width") == true)
      let unknown = #expect(throws: KeepsakeError.self) {
        _ = try SealedValue.load(Themed.self, from: path, with: key)
      }
      #expect(unknown?.code == .valueUnreadable && unknown?.message.contains("theme") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      try SealedValue.save(Wide(), to: path, for: key)
      let record = #expect(throws: KeepsakeError.self) {
        _ = try SealedValue.load(Narrow.self, from: path, with: key)
      }
      #expect(record?.code == .valueUnreadable)
      #expect((record?.underlyingError as? ArchiveError)?.code == .valueOutOfRange)
    }
  }

  @Test func `A value is not opened by another passphrase, and stays as it is`() throws {
    try withDirectory { path in
      try SealedValue.save(Settings(), to: path, for: .passphrase("right", cost: Self.quick))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for wrong in ["wrong", "Right", "right ", ""] {
        let found = code {
          _ = try SealedValue.load(Settings.self, from: path, with: .passphrase(wrong))
        }
        #expect(found == (wrong.isEmpty ? .keyUnavailable : .keyWrong))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      #expect(
        try SealedValue.load(Settings.self, from: path, with: .passphrase("right")) == Settings())
    }
  }

  @Test func `A value that cannot be saved leaves the file as it was`() throws {
    try withDirectory { path in
      let store = KeyFileStore(path: path + ".key")
      try SealedValue.save(Settings(), to: path, for: .keyStore(store))
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(
        code { try SealedValue.save(Unstorable(), to: path, for: .keyStore(store)) }
          == .valueNotStorable)
      #expect(
        code { try SealedValue.save(Settings(), to: path, for: .passphrase("")) } == .keyUnavailable
      )
      // The store makes no new key while a file exists that the missing key has sealed.
      try store.setKeyAside()
      #expect(
        code { try SealedValue.save(Settings(), to: path, for: .keyStore(store)) } == .keyAbsent)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      #expect(
        code {
          try SealedValue.save(
            Settings(), to: path + "/none", for: .passphrase("x", cost: Self.quick))
        } == .storeUnavailable)
    }
  }

  @Test func `A value that was never saved is absent, even without its key`() throws {
    try withDirectory { path in
      let store = KeyFileStore(path: path + ".key")
      for key in [SealedValueKey.keyStore(store), .passphrase("")] {
        #expect(
          code { _ = try SealedValue.load(Settings.self, from: path, with: key) } == .valueAbsent)
      }
    }
  }

  private func withDirectory(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/value") }
  }
}
