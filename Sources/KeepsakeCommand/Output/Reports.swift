import CommandSupport
import Foundation
import Keepsake

// The facts of a file in the same words for every verb.

extension SealedFileSummary {
  /// One line of the facts that need no key.
  func line(named name: String) -> String {
    let purpose = statePurpose.map { ", the state of \($0)" } ?? ""
    let slots = slotTypes.map(\.description).joined(separator: ", ")
    return
      "\(name): sealed\(purpose), \(fileSize) bytes, chunks of \(chunkSize) bytes: \(chunkCount), "
      + "\(isSigned ? "signed" : "not signed"), key slots: \(slots)"
  }

  /// The key slots, with the numbers by which they are named.
  var slotLines: [String] { slotTypes.enumerated().map { "  slot \($0): \($1)" } }

  var json: JSONValue {
    [
      "fileSize": .number(fileSize), "formatVersion": .number(version), "suite": .number(suite),
      "chunkSize": .number(chunkSize), "chunkCount": .number(chunkCount),
      "payloadLength": .number(payloadLength), "isSigned": .bool(isSigned),
      "slots": .strings(slotTypes.map(\.description)), "fileID": .string(fileID.hexadecimal),
      "application": statePurpose.map { .string($0.application) },
      "session": statePurpose?.session.map { .string("\($0)") },
      "publicMetadata": publicMetadata.isEmpty
        ? nil : .string(Data(publicMetadata).base64EncodedString()),
    ]
  }
}

extension SealedFile {
  /// One line about the content that the key has opened.
  var line: String {
    var facts = ["\(plaintextLength) bytes", "generation \(generation)"]
    if !creator.isEmpty { facts.append("written by \(creator.displayed)") }
    if let signer { facts.append("signed by \(signer)") }
    return "  opened by slot \(openedBySlot), \(openedBy): " + facts.joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "plaintextLength": .number(plaintextLength), "generation": .number(generation),
      "creator": creator.isEmpty ? nil : .string(creator), "openedBySlot": .number(openedBySlot),
      "openedBy": .string("\(openedBy)"), "signer": signer.map { .string("\($0)") },
    ]
  }
}

extension ReservedValues {
  /// The values that are set.
  var json: JSONValue {
    [
      "bundleVersion": bundleVersion.map { .string($0) },
      "userInterfaceIdiom": userInterfaceIdiom.map { .number($0) },
      "timestamp": timestamp.map { .string($0.text) },
      "systemVersion": systemVersion.map { .string($0) },
    ]
  }
}

extension Archive {
  /// The size of the archive, its root and its reserved values.
  var json: JSONValue {
    let facts: JSONValue = [
      "byteCount": .number(byteCount), "objectCount": .number(objectCount),
      "root": .number(rootID.rawValue),
    ]
    guard case (.object(let own), .object(let reserved)) = (facts, reserved.json) else {
      return facts
    }
    return .object(own + reserved)
  }
}

extension ArchiveVerdict {
  /// The words that describe the archive.
  var words: String {
    switch self {
    case .canonical: "sound"
    case .canonicalWithUnknownKinds: "sound, with kinds of values that this version does not know"
    case .notCanonical(let error): "sound, but not written as the format asks: \(error)"
    }
  }
}

extension JSONWriter {
  /// Writes the number, the type and the version of an object.
  mutating func write(factsOf object: borrowing ObjectDecoder) {
    write([.init("id", .number(object.objectID.rawValue)), .init("type", .string(object.typeName))])
    guard object.schemaVersion != 0 else { return }
    write([.init("schemaVersion", .number(object.schemaVersion))])
  }
}
