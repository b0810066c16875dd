/// The position of an element in a table or a collection: a row in a section, both from zero.
public struct RestorationIndexPath: Hashable, Comparable, Sendable {
  /// The section, from zero.
  public var section: Int
  /// The row in the section, from zero.
  public var row: Int

  /// Creates an index path.
  ///
  /// - Parameters:
  ///   - section: The section, from zero.
  ///   - row: The row in the section, from zero.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Returns whether the first position comes before the second, section by section.
  public static func < (first: RestorationIndexPath, second: RestorationIndexPath) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}

extension RestorationIndexPath: CustomStringConvertible {
  /// Section and row, as in `0-12`.
  public var description: String { "\(section)-\(row)" }
}
