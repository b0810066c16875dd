import Foundation
import Testing

@testable import KeepsakeSeal

/// Spec/seal.md, section 10, holds the values; this suite computes them again.
@Suite struct `The worked example of the specification` {
  private let values: [String: [UInt8]]
  private let file: [UInt8]
  private let keyFile: [UInt8]

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Spec/seal.md"), encoding: .utf8)
    func block(_ name: String) -> [Substring] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard let start = lines.firstIndex(of: "```" + name) else { return [] }
      return Array(lines[(start + 1)...].prefix { $0 != "```" })
    }
    func bytes(_ hex: some StringProtocol) -> [UInt8] {
      let digits = hex.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
    var values: [String: [UInt8]] = [:]
    for line in block("values") {
      let name = line.prefix(17).trimmingCharacters(in: .whitespaces)
      values[name] = bytes(line.dropFirst(17))
    }
    self.values = values
    file = bytes(block("file").joined())
    keyFile = bytes(block("keyfile").joined())
  }

  private func value(_ name: String) throws -> [UInt8] { try #require(values[name]) }

  private func secret(_ name: String) throws -> SecretBytes {
    let bytes = try value(name)
    return try SecretBytes(copying: bytes.span)
  }

  @Test func `The whole file is written as it stands there`() throws {
    let plan = try SealPlan(
      plaintextLength: 17, keys: [SealKey(secret: try secret("raw key"))],
      options: SealOptions(
        context: Array("com.example.notes".utf8), publicMetadata: Array("notes 1".utf8),
        generation: 3, creator: "keepsake"),
      randomness: SealRandomness(
        dataKey: try secret("data key"), fileID: try value("file id"),
        slotNonces: [try value("slot nonce")], metadataNonce: try value("metadata nonce")))
    let plaintext = Array("Hello, Keepsake.\n".utf8)
    #expect(file.count == 476)
    #expect(try plan.sealed(plaintext.span) == file)
    #expect(plan.header.bytes.count == 443)
    #expect(try plan.header.mac == value("header MAC"))
    #expect(try Array(plan.header.bytes.suffix(16)) == value("header check"))
    #expect(try plan.header.slots.map(\.commitment) == [value("slot commitment")])
  }

  @Test func `The file opens as it stands there`() throws {
    let opened = try OpenedSealedFile(
      bytes: file, keys: [SealKey(secret: try secret("raw key"))],
      context: Array("com.example.notes".utf8))
    #expect(try opened.read() == Array("Hello, Keepsake.\n".utf8))
    #expect(opened.generation == 3)
    #expect(opened.creator == "keepsake")
    #expect(opened.summary.publicMetadata == Array("notes 1".utf8))
  }

  @Test func `Each derived key is as it stands there`() throws {
    let schedule = KeySchedule(
      dataKey: try secret("data key"), chunkSize: .kibibytes64, fileID: try value("file id"),
      publicMetadata: Array("notes 1".utf8), context: Array("com.example.notes".utf8))
    #expect(try schedule.commitment() == value("commitment"))
    #expect(try schedule.metadataKey().isEqual(to: secret("metadata key")))
    let bytes = try value("payload key") + value("base nonce")
    let payload = try SecretBytes(copying: bytes.span)
    #expect(try schedule.payloadKey().isEqual(to: payload))
    let mac = try Blake2b.hash([1, 2, 3], key: secret("header MAC key"))
    #expect(try schedule.headerMAC(of: [1, 2, 3]) == mac)
    let wrapped = try XChaCha20Poly1305.wrap(
      secret("data key"), key: secret("wrapping key"), nonce: value("slot nonce"),
      associatedData: [1] + [UInt8](repeating: 0, count: 55) + value("file id"))
    #expect(Array(file[240..<288]) == wrapped)
  }

  @Test func `The key file is as it stands there`() throws {
    let key = SealKey(secret: try secret("raw key"))
    #expect(try KeyFile.encode(key).publicBytes(0..<48) == keyFile)
    let decoded = try KeyFile.decode(try SecretBytes(copying: keyFile.span))
    #expect(decoded.isEqual(to: key))
  }
}
