import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// An object that fails in the middle of its decoding has read some keys and not the others: rows 41 and 47.
@MainActor
@Suite struct `An object that fails to decode` {
  private func relaunch(
    reading onDecode: @escaping (borrowing RestorationDecoder) throws -> Void
  ) async throws -> RestoreReport {
    let page = Page("a", note: "note")
    page.onEncode = { coder in
      coder.encode("text", forKey: "text")
      coder.encode(7, forKey: "number")
      try coder.withScope("Inner") { coder in coder.encode(true, forKey: "flag") }
    }
    return try await KeepsakeRestorationTests.relaunch(TestApp(root: page)) {
      let app = TestApp()
      app.make = { _ in
        let page = Page()
        page.onDecode = onDecode
        return page
      }
      return app
    }.restoreReport
  }

  // Row 47.
  @Test
  func `A report names the keys that an object read before it failed to decode`() async throws {
    let report = try await relaunch { coder in
      _ = try coder.decode(String.self, forKey: "text")
      _ = try coder.scope("Inner").decode(Bool.self, forKey: "flag")
      _ = try coder.decodeIfPresent(Int.self, forKey: "absent")
      _ = try? coder.decode(String.self, forKey: "number")
      _ = try coder.decodeIfPresent(Int.self, forKey: "text")
    }
    #expect(report.disposition(of: "a") == .partlyRestored)
    let notice = try #require(report.diagnostics.first)
    #expect(notice.code == .decodingFailed && notice.path?.components == ["a"])
    #expect(notice.message.contains("is restored in part"))
    #expect(notice.message.contains("\"text\", \"Inner.flag\" and nothing else"), "\(notice)")
    #expect(report.description.contains("Page#a: partly restored"))
  }

  // Row 47.
  @Test
  func `An object that fails before it reads anything keeps its default state`() async throws {
    let report = try await relaunch { coder in
      _ = try coder.decode(Int.self, forKey: "text")
    }
    #expect(report.disposition(of: "a") == .inDefaultState)
    #expect(report.diagnostics.first?.message.contains("keeps its default state") == true)
  }

  // Row 41.
  @Test
  func `An object that gives a default loses only the key that it cannot read`() async throws {
    var read: [String] = []
    let report = try await relaunch { coder in
      read = [
        coder.decode(String.self, forKey: "text", default: "default"),
        coder.decode(String.self, forKey: "number", default: "default"),
        coder.decode(forKey: "absent", default: "default"),
        "\(coder.decode(forKey: "number", default: 0))",
      ]
    }
    #expect(read == ["text", "default", "default", "7"])
    #expect(report.disposition(of: "a") == .restored)
    #expect(report.diagnostics.map(\.code) == [.valueNotRead])
    #expect(report.diagnostics.first?.path?.components == ["a"])
    #expect(report.diagnostics.first?.message.contains("\"number\"") == true)
  }

  // Row 41: the application's own coder has no path.
  @Test func `An app that gives a default loses only the key that it cannot read`() async throws {
    let app = TestApp(root: Page("a"))
    app.willEncode = { $0.encode("text", forKey: "number") }
    var number = 0
    let report = try await KeepsakeRestorationTests.relaunch(app) {
      let app = TestApp.standard()
      app.onDecode = { number = $0.decode(forKey: "number", default: 3) }
      return app
    }.restoreReport
    #expect(number == 3)
    #expect(report.diagnostics.map(\.code) == [.valueNotRead])
    #expect(report.diagnostics.first?.path == nil)
  }
}
