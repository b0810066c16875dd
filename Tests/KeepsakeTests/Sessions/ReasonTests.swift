import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `The reason for restoring` {
  private func reason(
    after end: @escaping @MainActor (StateSession) async throws -> Void
  ) async throws -> RestorationReason? {
    try await TemporaryDirectory.with { directory in
      let identifier = try await directory.save("state", then: end)
      let listed = try await directory.sessions.list().first?.reason
      let opened = try await directory.sessions.open(identifier).reason
      #expect(listed == opened)
      return opened
    }
  }

  // Row 49.
  @Test
  func `The reason is the one that the process stated at its end, or a crash if it stated nothing`()
    async throws
  {
    #expect(try await reason { _ in } == .crash)
    #expect(try await reason { try await $0.end(.userQuit) } == .userQuit)
    #expect(try await reason { try await $0.end(.systemKill) } == .systemKill)
    #expect(try await reason { try await $0.enterBackground() } == .systemKill)
    let back = try await reason {
      try await $0.enterBackground()
      try await $0.enterForeground()
    }
    #expect(back == .crash)
    let crashed = try await reason {
      try await $0.enterBackground()
      try await $0.end(.crash)
    }
    #expect(crashed == .crash)
  }

  @Test func `The reason is systemKill when the machine was restarted in between`() async throws {
    try await TemporaryDirectory.with { directory in
      let identifier = try await directory.save("state")
      let record = directory.path("session", of: identifier)
      let text = String(decoding: try directory.contents(record), as: UTF8.self)
      #expect(!MachineBoot.identifier.isEmpty && text.contains(MachineBoot.identifier))
      let before = text.replacingOccurrences(of: MachineBoot.identifier, with: "another boot")
      try directory.write(Data(before.utf8), to: record)
      #expect(try await directory.sessions.open(identifier).reason == .systemKill)
    }
  }

  @Test(arguments: [
    "", "keepsake session 9\nactive\nx\n", "keepsake session 0\nasleep\nx\n", "\u{0}",
  ])
  func `The reason is a crash when the record cannot be read`(text: String) async throws {
    try await TemporaryDirectory.with { directory in
      let identifier = try await directory.save("state", then: { try await $0.end(.userQuit) })
      try directory.write(Data(text.utf8), to: directory.path("session", of: identifier))
      #expect(try await directory.sessions.open(identifier).reason == .crash)
    }
  }
}
