import Keepsake
import TestSupport
import Testing

@Suite struct `The page of KeepsakeJournal` {
  @Test func `The journal keeps what each call appended`() async throws {
    try await withTemporaryDirectory { folder in
      let key = try SealKey.generate()
      #expect(try await talk(in: folder, key: key) == ["Hello"])
      #expect(try await talk(in: folder, key: key) == ["Hello", "Hello"])
    }
  }
}
