import CommandSupport
import Foundation
import Keepsake

/// A property list, in XML or in the binary form.
///
/// Code of this package reads both forms, since Foundation's readers accept documents that are no property lists, and
/// limit neither depth nor size.
enum PropertyList {
  /// Reads a property list of XML or of the binary form.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> DynamicValue {
    if bytes.starts(with: BinaryPropertyList.signature) {
      return try BinaryPropertyList(bytes, from: source).value()
    }
    return try XMLPropertyList.parse(bytes, from: source)
  }

  /// The words that follow the name of a file which is refused.
  static let refusal = "is not a property list that can be read"

  /// The record of a dictionary, in an order of its own, since a property list has none.
  ///
  /// - Throws: The name that occurs twice.
  static func record(
    of members: [(name: String, value: DynamicValue)]
  ) throws(RepeatedName) -> DynamicValue {
    let sorted = members.sorted { one, other in
      one.name == other.name ? one.name.bytesPrecede(other.name) : one.name < other.name
    }
    for (member, next) in zip(sorted, sorted.dropFirst())
    where member.name.hasSameBytes(as: next.name) {
      throw RepeatedName(name: member.name)
    }
    return .record(
      DynamicRecord(
        fields: sorted.map { DynamicRecord.Field(key: ArchiveKey($0.name), value: $0.value) }))
  }

  struct RepeatedName: Error {
    let name: String

    var reason: String { "the name \"\(name.shortened)\" is there twice in a dictionary" }
  }

  /// The date of a text, `nil` if there is no such date.
  ///
  /// Foundation's reader turns the 30th of February into the second of March. So the date is written as text again,
  /// and compared with the text that was read.
  static func date(_ text: String) -> DynamicValue? {
    guard text.utf8.count <= 32, let date = try? Date(text, strategy: .iso8601),
      date.formatted(.iso8601).hasSameBytes(as: text)
    else { return nil }
    return .date(ArchiveDate(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
  }

  /// The bytes of base 64, with blanks anywhere; `nil` if it is not written as RFC 4648 says.
  static func bytes(base64 text: String) -> DynamicValue? {
    let digits = String(decoding: text.utf8.filter { !TextCursor.isBlank($0) }, as: UTF8.self)
    // Foundation's reader skips unknown characters, so the bytes are written again and compared with the text.
    guard let data = Data(base64Encoded: digits), data.base64EncodedString() == digits else {
      return nil
    }
    return .bytes(Array(data))
  }
}
