/// A table without a screen: one element in each row.
@MainActor
open class HeadlessTableView: HeadlessElementView {
  /// Creates a table.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - rowHeight: The height of a row; a value that is not above zero and finite counts as 1.
  public init(restorationIdentifier: String? = nil, rowHeight: Double = 1) {
    super.init(
      restorationIdentifier: restorationIdentifier, lineHeight: rowHeight, elementsPerLine: 1)
  }

  /// The height of a row, above zero.
  public var rowHeight: Double { lineHeight }
}
