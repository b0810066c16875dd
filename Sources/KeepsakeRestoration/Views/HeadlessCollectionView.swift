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
