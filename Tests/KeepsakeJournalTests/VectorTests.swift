import Foundation
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

/// A vector of Spec/Vectors/journal, as Spec/Vectors/README.md describes it.
private struct JournalVector: Decodable {
  /// Bytes in hexadecimal, or those of the pattern.
  struct Bytes: Decodable, Equatable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        let digits = Array(text.utf8)
        bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
          try #require(UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16))
        }
        return
      }
      let count = try decoder.singleValueContainer().decode([String: Int].self)["pattern"] ?? 0
      bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 + $0 >> 8 + $0 >> 16) }
    }
  }

  /// An offset, and the bytes at it.
  struct Edit: Decodable {
    let offset: Int
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
      var pair = try decoder.unkeyedContainer()
      offset = try pair.decode(Int.self)
      bytes = try pair.decode(Bytes.self).bytes
    }
  }

  struct Key: Decodable {
    let key: Bytes?
    let identity: Bytes?

    func secret() throws -> SealIdentity {
      if let key { return .key(try SealKey(copying: key.bytes.span)) }
      let identity = try #require(identity)
      return .x25519(try X25519Identity(copying: identity.bytes.span))
    }
  }

  struct Opening: Decodable {
    let keys: [Key]
    let context: Bytes?
    let pin: Bytes?
    let goingOn: Bool?
  }

  struct Entry: Decodable, Equatable {
    let number: String
    let type: String
    let form: UInt8
    let version: Int
    let time: String
    let content: Bytes
  }

  struct Expectation: Decodable {
    let entries: [Entry]
    let error: String?
    let file: UInt64?
    let offset: UInt64?
    let entry: String?
    let pin: Bytes?
  }

  let name: String
  let directory: String
  let edits: [String: [Edit]]?
  let open: Opening
  let expected: Expectation
}

extension JournalVector {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/journal").path

  static func all() throws -> [JournalVector] {
    let index = try String(contentsOfFile: folder + "/index.tsv", encoding: .utf8)
    return try index.split(separator: "\n").map { line in
      let file = try #require(line.split(separator: "\t").first)
      return try JSONDecoder().decode(
        JournalVector.self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/\(file)")))
    }
  }

  /// The journal of the vector with its changes, copied into a folder when it has some.
  func journal(in folder: String) throws -> String {
    let original = Self.folder + "/" + directory
    guard let edits else { return original }
    let copy = folder + "/journal"
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    for (name, changes) in edits {
      var file = try contents(of: copy + "/" + name)
      for change in changes {
        file.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
      }
      try write(file, to: copy + "/" + name)
    }
    return copy
  }

  /// Reads the journal, and says how the outcome differs from the stated one; nil when it does not.
  func difference(in folder: String) throws -> String? {
    let files = JournalFiles(try journal(in: folder))
    let keys = JournalKeys(
      recipients: [], identities: try open.keys.map { try $0.secret() },
      context: open.context?.bytes ?? [])
    var options = ReadingOptions(skipsDamage: open.goingOn ?? false)
    if let pin = open.pin { options.pin = try JournalPin(bytes: pin.bytes) }
    var reader = JournalReader(files, keys: keys, options: options)
    var found: [FoundEntry] = []
    var error: JournalError?
    do throws(JournalError) {
      while case .entries(let entries) = try reader.step() { found += entries }
      try reader.requirePin()
    } catch let failure {
      error = failure
    }
    let entries = found.map { entry in
      let record = entry.record
      return "\(entry.number) \(record.typeName) \(record.representation.rawValue) "
        + "\(record.version) \(entry.time) \(record.content)"
    }
    let stated = expected.entries.map {
      "\($0.number) \($0.type) \($0.form) \($0.version) \($0.time) \($0.content.bytes)"
    }
    if error?.code.rawValue != expected.error {
      return "\(error.map { "\($0)" } ?? "read") in place of \(expected.error ?? "read")"
    }
    if entries != stated {
      return "entries \(found.map(\.number)) in place of \(expected.entries.map(\.number))"
    }
    if let file = expected.file, error?.path != files.path(of: file) {
      return "\(error?.path ?? "") in place of file \(file)"
    }
    if let offset = expected.offset, error?.offset != offset {
      return "offset \(error?.offset ?? 0) in place of \(offset)"
    }
    if let entry = expected.entry, error?.entry != UInt64(entry) {
      return "entry \(error?.entry ?? 0) in place of \(entry)"
    }
    if let pin = expected.pin, reader.point.flatMap({ JournalPin($0) })?.bytes != pin.bytes {
      return "another pin"
    }
    return nil
  }
}

/// The vectors of Spec/Vectors/journal, whose outcomes another implementation found.
@Suite struct `The journal vectors of the specification` {
  @Test func `Journals have the outcome that their vector states`() throws {
    let vectors = try JournalVector.all()
    #expect(vectors.count >= 360)
    for vector in vectors {
      try withTemporaryDirectory { folder in
        let difference = try vector.difference(in: folder)
        #expect(difference == nil, "\(vector.name)")
      }
    }
  }
}
