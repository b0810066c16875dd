import CommandSupport
import Keepsake

/// A condition on the records that are exported: the value of one key is a text, or is not.
struct RecordFilter {
  private let key: String
  private let value: String
  private let isEqual: Bool

  /// Reads a condition: `key=value` or `key!=value`.
  init(_ text: String) throws {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw Failure(
        "\"\(text.shortened)\" is not a condition; write one as in level=error or level!=debug.",
        .usage)
    }
    let before = text.index(before: sign)
    isEqual = text[before] != "!"
    key = String(text[..<(isEqual ? sign : before)])
    value = String(text[text.index(after: sign)...])
  }

  /// True when a record meets the condition; a record without the key meets only `key!=value`.
  func fits(_ record: DynamicRecord) throws -> Bool {
    let field = record.fields.first { field in
      KeySpelling.byteCount(field.scope, field.key) <= 4 * key.utf8.count
        && KeySpelling.allCases.contains { spelling in
          spelling.name(field.scope, field.key).hasSameBytes(as: spelling.name(given: key))
        }
    }
    guard let field else { return !isEqual }
    return try field.value.plainText.hasSameBytes(as: value) == isEqual
  }
}
