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

  @Test func `is its sentence, whichever module it comes from`() throws {
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
