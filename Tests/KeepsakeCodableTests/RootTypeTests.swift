import Foundation
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Spec/archive.md, section 9.
@Suite struct `The root of a Codable value` {
  @Test func `An archive whose root is of another type is read, but not as a Codable value`() throws
  {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(
        "Spec/Vectors/archive/a-72-a-root-that-is-no-value-of-codable.archive")
    let bytes = Array(try Data(contentsOf: file))
    #expect(try Archive(bytes).verdict() == .canonical)
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(Int.self, from: bytes)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription
        == "The archive was not written by an ArchiveEncoder: its root is a T.")
  }
}
