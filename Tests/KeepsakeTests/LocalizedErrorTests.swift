import Foundation
import Keepsake
import Testing

@Suite struct `An error in an alert` {
  private static func shown(_ body: () throws -> Void) -> (shown: String, sentence: String)? {
    do {
      try body()
      return nil
    } catch {
      return (error.localizedDescription, "\(error)")
    }
  }

  @Test func `An error of any module shows its message in an alert`() throws {
    let missing = "/keepsake-tests/none"
    let failures = [
      Self.shown { _ = try Archive([1, 2, 3]) },
      Self.shown { _ = try SealedFile.inspect(missing) },
      Self.shown { _ = try BundleVersion("one") },
      Self.shown { throw RestorationError(.damaged, "The state was cut short.") },
      Self.shown { _ = try StateDirectory.user("") },
    ]
    for failure in failures {
      let (shown, sentence) = try #require(failure)
      #expect(shown == sentence)
      #expect(shown.contains(" ") && !shown.contains("The operation could not be completed"))
    }
  }
}

@Suite struct `An error of the module Keepsake` {
  @Test func `An error names the file and the underlying error`() throws {
    let path = "/keepsake-tests/none"
    let unreadable = try #require(
      keepsakeError { _ = try KeyFileStore(path: path).existingKey() })
    #expect(unreadable.code == .keyAbsent && unreadable.path == path)
    #expect((unreadable.underlyingError as? SealError)?.code == .keyFileAbsent)
    let absent = try #require(
      keepsakeError { _ = try SealedValue.load(Int.self, from: path, with: .key(.generate())) })
    #expect(absent.code == .valueAbsent && absent.path == path)
    #expect(absent.underlyingError == nil)
  }

  @Test
  func `Errors with the same code, message and path are equal, even if their causes differ`() {
    let one = KeepsakeError(.damaged, "It is cut short.", at: "/a")
    #expect(one == KeepsakeError(.damaged, "It is cut short.", at: "/a", underlyingError: one))
    #expect(one.hashValue == KeepsakeError(.damaged, "It is cut short.", at: "/a").hashValue)
    for other in [
      KeepsakeError(.keyAbsent, "It is cut short.", at: "/a"),
      KeepsakeError(.damaged, "It is altered.", at: "/a"),
      KeepsakeError(.damaged, "It is cut short.", at: "/b"),
      KeepsakeError(.damaged, "It is cut short."),
    ] {
      #expect(one != other)
    }
  }

  @Test func `The engine's error has the error of the module Keepsake as its underlying error`()
    async throws
  {
    let store = SealedStateStore(
      directory: StateDirectory(path: "/dev/null/state"), keyStore: KeyFileStore(path: "/a"))
    do {
      _ = try await store.load()
      Issue.record("a state was loaded from below a device")
    } catch {
      #expect((error.underlyingError as? KeepsakeError)?.message == error.message)
    }
  }
}
