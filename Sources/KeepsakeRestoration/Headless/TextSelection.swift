import KeepsakeArchive

/// A selected part of a text, as offsets of characters, which never leaves the text.
struct TextSelection {
  private(set) var range: Range<Int>?

  /// Selects a part; one that does not fit the text selects nothing.
  mutating func select(_ range: Range<Int>?, in text: String) {
    self.range = range
    fit(text)
  }

  /// Drops the selection when it does not fit the text any more.
  mutating func fit(_ text: String) {
    guard let range else { return }
    if range.lowerBound < 0 || range.upperBound > text.count { self.range = nil }
  }
}

extension RestorationEncoder {
  /// Writes a selection in this scope.
  mutating func encode(_ selection: TextSelection) {
    encode(selection.range?.lowerBound, forKey: "selectionStart")
    encode(selection.range?.upperBound, forKey: "selectionEnd")
  }
}

extension RestorationDecoder {
  /// Reads a selection of this scope, if there was one.
  func decodeSelection() throws(ArchiveError) -> Range<Int>? {
    guard let start = try decodeIfPresent(Int.self, forKey: "selectionStart"),
      let end = try decodeIfPresent(Int.self, forKey: "selectionEnd"), start <= end
    else { return nil }
    return start..<end
  }
}
