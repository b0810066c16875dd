import Foundation
import KeepsakeArchive
import Testing

/// The archives of Spec/Vectors, which another implementation made of the specification alone.
///
/// `KEEPSAKE_VECTOR_FOLDER` names another folder of the same form, such as `.ci/exchange` makes.
struct FormatVector: Sendable, CustomTestStringConvertible {
  var file: String
  /// `refused`, or the verdict in the words of the specification (7.5).
  var outcome: String
  var rule: String
  var testDescription: String

  private static var folder: URL {
    if let other = ProcessInfo.processInfo.environment["KEEPSAKE_VECTOR_FOLDER"] {
      return URL(fileURLWithPath: other)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Spec/Vectors/archive")
  }

  /// All of the list.
  static func all() throws -> [FormatVector] {
    let list = try String(contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    return list.split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return FormatVector(
        file: columns[0], outcome: columns[1], rule: columns[2], testDescription: columns[3])
    }
  }

  /// The bytes, with the version of the format that the library writes for now.
  func bytes() throws -> [UInt8] {
    var bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let own = try archiveBytes { _ in }
    if bytes.count > 10, bytes[8] == 1 { bytes[8] = own[8] }
    return bytes
  }
}

@Suite(.enabled(if: ProcessInfo.processInfo.environment["KEEPSAKE_VECTORS"] != nil))
struct `The vectors of the archive's specification` {
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

  @Test func `have the outcome that is stated, in memory, at random and forward`() throws {
    let vectors = try FormatVector.all()
    var agreeing = 0
    for vector in vectors {
      let bytes = try vector.bytes()
      let outcomes = [
        outcome { try Archive(bytes).verdict() },
        outcome { try Archive(source: NotedSource(bytes)).verdict() },
        outcome {
          var reader = try ArchiveStreamReader(PiecewiseSource(bytes))
          try reader.forEachObject { _ in }
          let summary = reader.summary
          return summary?.verdict ?? .notCanonical(ArchiveError(.damaged, "no end"))
        },
      ]
      let agrees = outcomes.allSatisfy { $0 == vector.outcome }
      if agrees { agreeing += 1 }
      #expect(
        agrees, "\(vector.file) [\(vector.rule)] is \(vector.outcome), and was \(outcomes)")
    }
    print("\(agreeing) of \(vectors.count) vectors agree")
  }

  /// What is canonical is written again as it was.
  @Test func `are written as they were`() throws {
    var (same, all) = (0, 0)
    for vector in try FormatVector.all() where vector.outcome.hasPrefix("canonical") {
      let bytes = try vector.bytes()
      let again = try? ArchiveDocument(Archive(bytes)).encoded(order: .stored)
      all += 1
      if again == bytes { same += 1 }
      #expect(again == bytes, "\(vector.file)")
    }
    print("\(same) of \(all) canonical vectors are written as they were")
  }
}
