import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `Pins in files` {
  private static let app = StatePurpose(application: "com.example.contacts")

  private func pin(_ seed: UInt8) throws -> SealedFilePin {
    try SealedFilePin(bytes: (0..<104).map { seed &+ $0 })
  }

  private func withStore(
    _ body: @MainActor (FileFreshnessStore, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try await body(FileFreshnessStore(path: directory.url.path + "/pins/mine"), directory)
    }
  }

  @Test func `A pin is kept, replaced, and removed`() async throws {
    try await withStore { store, directory in
      #expect(try store.pin(of: Self.app) == nil)
      try store.removePin(of: Self.app)
      for seed in UInt8(1)...2 {
        try store.keep(pin(seed), of: Self.app)
        #expect(try store.pin(of: Self.app) == pin(seed))
        #expect(try FileFreshnessStore(path: store.path).pin(of: Self.app) == pin(seed))
      }
      let file = store.path + "/pin-com.example.contacts"
      #expect(try directory.permissions(file) == 0o600)
      #expect(try directory.permissions(store.path) == 0o700)
      let text = String(decoding: try directory.contents(file), as: UTF8.self)
      #expect(
        text.hasPrefix("keepsake pin 1\n02030405") && text.hasSuffix("\n\ncom.example.contacts"))
      try store.removePin(of: Self.app)
      #expect(try store.pin(of: Self.app) == nil)
    }
  }

  @Test func `Each state has its own pin file`() async throws {
    try await withStore { store, _ in
      let main = try SessionIdentifier("main")
      let purposes = [
        "", ".", "..", "a/b", "a%2Fb", "a@main", "a", "A b\n", "ä",
        String(repeating: "x", count: 200),
      ].flatMap {
        [StatePurpose(application: $0), StatePurpose(application: $0, session: main)]
      }
      for (index, purpose) in purposes.enumerated() {
        try store.keep(pin(UInt8(index)), of: purpose)
      }
      for (index, purpose) in purposes.enumerated() {
        #expect(try store.pin(of: purpose) == pin(UInt8(index)), "\(purpose)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
      #expect(names.count == purposes.count && names.allSatisfy { $0.hasPrefix("pin-") })
    }
  }

  // Spec/state.md, section 1.2.
  @Test
  func `A pin file is named after the app, and special bytes of the name are percent-encoded`()
    async throws
  {
    try await withStore { store, _ in
      let app = StatePurpose(application: "azAZ09-_.`{@[/:, \u{E9}")
      try store.keep(pin(1), of: app)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: store.path)
          == ["pin-azAZ09-_.%60%7b%40%5b%2f%3a%2c%20%c3%a9"])
    }
  }

  @Test(
    arguments: [
      "empty", "cut short", "longer", "another digit case", "no digit", "another heading",
      "another state's", "a directory",
    ])
  func `A damaged pin file is not taken for a pin, and the error names it`(fault: String)
    async throws
  {
    try await withStore { store, directory in
      try store.keep(pin(0xA0), of: Self.app)
      let file = store.path + "/pin-com.example.contacts"
      var bytes = try directory.contents(file)
      switch fault {
      case "empty": bytes = Data()
      case "cut short": bytes.removeLast()
      case "longer": bytes.append(0x0A)
      case "another digit case": bytes[15] = UInt8(ascii: "A")
      case "no digit": bytes[15] = UInt8(ascii: "+")
      case "another heading": bytes[0] = UInt8(ascii: "K")
      case "another state's":
        let other = StatePurpose(application: "com.example.notes")
        try store.keep(pin(1), of: other)
        bytes = try directory.contents(store.path + "/pin-com.example.notes")
      default:
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(
          atPath: file, withIntermediateDirectories: false)
      }
      if fault != "a directory" { try directory.write(bytes, to: file) }
      let error = #expect(throws: KeepsakeError.self) { try store.pin(of: Self.app) }
      #expect(error?.code == .freshnessUnavailable)
      #expect(error?.message.contains(file) == true && error?.message.hasSuffix(".") == true)
    }
  }

  @Test func `A damaged pin file is replaced by a reset of the state`() async throws {
    try await withStore { store, directory in
      let state = SealedStateStore(directory: directory.state, freshnessStore: store)
      try await state.save([1], previous: .replace)
      let file = store.path + "/pin-"
      try directory.write(Data("no pin".utf8), to: file)
      let error = await #expect(throws: RestorationError.self) { _ = try await state.load() }
      #expect(error?.code == .freshnessUnavailable)
      try await state.reset()
      try await state.save([2], previous: .replace)
      #expect(try await state.load() == .archive([2], failedLaunchCount: 0))
      #expect(state.freshness == .exact)
    }
  }

  @Test func `A pin protects a state from launch to launch`() async throws {
    try await withStore { store, directory in
      for number in UInt8(1)...2 {
        let state = SealedStateStore(directory: directory.state, freshnessStore: store)
        _ = try await state.load()
        try await state.save([number], previous: .replace)
      }
      let state = SealedStateStore(directory: directory.state, freshnessStore: store)
      #expect(try await state.load() == .archive([2], failedLaunchCount: 0))
      #expect(state.freshness == .exact)
    }
  }
}
