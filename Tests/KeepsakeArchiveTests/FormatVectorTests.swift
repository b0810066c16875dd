import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// An archive of Spec/Vectors; another implementation wrote it by the specification alone.
///
/// `KEEPSAKE_VECTOR_FOLDER` names another folder of the same form, such as `.ci/exchange` makes.
struct FormatVector: Sendable, CustomTestStringConvertible {
  var file: String
  /// `refused`, or the verdict in the words of the specification (7.5).
  var outcome: String
  var rule: String
  var testDescription: String
  /// The result of a reader that goes forward: the same, or `refused`.
  var forward: String
  /// The name of the error of a refused archive (7.10), else a dash.
  var code: String

  private static var folder: URL {
    if let other = ProcessInfo.processInfo.environment["KEEPSAKE_VECTOR_FOLDER"] {
      return URL(fileURLWithPath: other)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Spec/Vectors/archive")
  }

  /// All vectors of the list.
  static func all() throws -> [FormatVector] {
    let list = try String(contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    return list.split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return FormatVector(
        file: columns[0], outcome: columns[1], rule: columns[2], testDescription: columns[3],
        forward: columns[4], code: columns[5])
    }
  }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
  }
}

@Suite struct `The vectors of the archive's specification` {
  private func outcome(_ read: () throws -> ArchiveVerdict) -> String {
    do {
      switch try read() {
      case .canonical: return "canonical"
      case .canonicalWithUnknownKinds: return "canonical with unknown kinds"
      case .notCanonical: return "not canonical"
      }
    } catch {
      return "refused"
    }
  }

  @Test func `Each vector has its stated outcome in memory, at random and forward`() throws {
    for vector in try FormatVector.all() {
      let bytes = try vector.bytes()
      let whole = outcome { try Archive(bytes).verdict() }
      let atRandom = outcome { try Archive(source: NotedSource(bytes)).verdict() }
      var reader = try? ArchiveStreamReader(PiecewiseSource(bytes))
      try? reader?.forEachObject { _ in }
      // A forward reader gives no verdict.
      let isRead = reader?.summary != nil
      #expect(whole == vector.outcome, "\(vector.file) [\(vector.rule)]")
      #expect(atRandom == vector.outcome, "\(vector.file) [\(vector.rule)]")
      #expect(isRead == (vector.forward != "refused"), "\(vector.file) [\(vector.rule)]")
    }
  }

  @Test func `Each refused archive has the error that the list names`() throws {
    for vector in try FormatVector.all() where vector.outcome == "refused" {
      let bytes = try vector.bytes()
      let error = #expect(throws: ArchiveError.self) { try Archive(bytes).verdict() }
      #expect(error?.code.rawValue == vector.code, "\(vector.file) [\(vector.rule)]")
    }
  }

  // Holds, [A-104], [A-106], [A-108], [A-111] and.
  @Test func `Canonical vectors are written again as they were`() throws {
    for vector in try FormatVector.all() where vector.outcome.hasPrefix("canonical") {
      let bytes = try vector.bytes()
      var again = try ArchiveDocument(Archive(bytes)).encoded(order: .stored)
      // A reader ignores the minor version.
      again[10] = bytes[10]
      #expect(again == bytes, "\(vector.file)")
    }
  }
}
