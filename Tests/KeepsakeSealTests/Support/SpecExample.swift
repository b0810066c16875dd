import Foundation
import TestSupport
import Testing

@testable import KeepsakeSeal

/// The values of the worked example in Spec/seal.md, section 10.
struct SpecExample {
  private let text: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    text = try String(contentsOf: root.appendingPathComponent("Spec/seal.md"), encoding: .utf8)
  }

  /// The lines of all blocks of one kind.
  func lines(_ kind: String) -> [Substring] {
    var lines: [Substring] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```" + kind
      } else if isInside {
        lines.append(line)
      }
    }
    return lines
  }

  /// The bytes of a block of hexadecimal digits.
  func bytes(_ kind: String) -> [UInt8] { TestSupport.bytes(ofHexadecimal: lines(kind).joined()) }

  /// The bytes of a named value.
  func value(_ name: String) throws -> [UInt8] {
    let line = lines("values").first {
      $0.prefix(17).trimmingCharacters(in: .whitespaces) == name
    }
    return TestSupport.bytes(ofHexadecimal: try #require(line).dropFirst(17))
  }

  func secret(_ name: String) throws -> SecretBytes {
    let bytes = try value(name)
    return try SecretBytes(copying: bytes.span)
  }
}
