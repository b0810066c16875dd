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

/// A collection without a screen: elements side by side in a grid.
@MainActor
open class HeadlessCollectionView: HeadlessElementView {
  /// Creates a collection.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - lineHeight: The height of a line; a value that is not above zero and finite counts as 1.
  ///   - elementsPerLine: The number of elements side by side; less than 1 counts as 1.
  public override init(
    restorationIdentifier: String? = nil, lineHeight: Double = 1, elementsPerLine: Int
  ) {
    super.init(
      restorationIdentifier: restorationIdentifier, lineHeight: lineHeight,
      elementsPerLine: elementsPerLine)
  }
}
