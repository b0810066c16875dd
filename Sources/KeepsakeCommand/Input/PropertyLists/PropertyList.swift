import CommandSupport
import Foundation
import Keepsake

/// A property list, whatever is in it.
///
/// Both forms are read by code of this package, since Foundation's readers take what is no property list, and are
/// bounded neither in depth nor in size.
enum PropertyList {
  /// Reads a property list of XML or of the binary form.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> ArchivedValue {
    if bytes.starts(with: BinaryPropertyList.signature) {
      return try BinaryPropertyList(bytes, from: source).value()
    }
    return try XMLPropertyList.parse(bytes, from: source)
  }

  /// The words that follow the name of a file which is refused.
  static let refusal = "is not a property list that can be read"

  /// The record of a dictionary, in an order of its own, since a property list has none.
  ///
  /// - Throws: The name that is there twice.
  static func record(
    of members: [(name: String, value: ArchivedValue)]
  ) throws(RepeatedName) -> ArchivedValue {
    let sorted = members.sorted { one, other in
      one.name == other.name ? one.name.bytesPrecede(other.name) : one.name < other.name
    }
    for (member, next) in zip(sorted, sorted.dropFirst())
    where member.name.hasSameBytes(as: next.name) {
      throw RepeatedName(name: member.name)
    }
    return .record(
      ArchivedRecord(
        fields: sorted.map { ArchivedRecord.Field(key: ArchiveKey($0.name), value: $0.value) }))
  }

  struct RepeatedName: Error {
    let name: String

    var reason: String { "the name \"\(name.shortened)\" is there twice in a dictionary" }
  }

  /// The date of a text, `nil` if there is no such date.
  ///
  /// Foundation's reader takes the 30th of February for the second of March: a date that exists is written again
  /// as it was.
  static func date(_ text: String) -> ArchivedValue? {
    guard text.utf8.count <= 32, let date = try? Date(text, strategy: .iso8601),
      date.formatted(.iso8601).hasSameBytes(as: text)
    else { return nil }
    return .date(ArchiveDate(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
  }

  /// The bytes of base 64, with blanks anywhere; `nil` if it is not written as RFC 4648 says.
  static func bytes(base64 text: String) -> ArchivedValue? {
    let digits = String(decoding: text.utf8.filter { !TextCursor.isBlank($0) }, as: UTF8.self)
    // The reader skips what it does not know; sound digits are written again as they were.
    guard let data = Data(base64Encoded: digits), data.base64EncodedString() == digits else {
      return nil
    }
    return .bytes(Array(data))
  }
}
