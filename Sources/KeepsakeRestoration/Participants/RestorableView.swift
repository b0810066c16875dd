/// A view with state of its own, such as a scroll position.
///
/// A view is saved when it has an identifier and its node is saved. A restore finds it among the
/// ``RestorableNode/restorationViews`` of the restored node, and never creates it.
@MainActor
public protocol RestorableView: RestorableObject {}

/// A data source that identifies the rows of a view by their model objects.
///
/// With it a table's selection and scroll position follow the model when rows are inserted, removed or sorted between
/// two launches; without it index paths are restored unchanged.
@MainActor
public protocol RestorationModelAssociation: AnyObject {
  /// Returns the identifier of the model object at an index path of the view, at a save; `nil` skips the element.
  ///
  /// The identifier stays the same across launches.
  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String?

  /// Returns the present position of a model object in the view, at a restore; `nil` when it no longer exists.
  func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath?
}

/// The position of an element in a table or a collection: a row in a section, both from zero.
public struct RestorationIndexPath: Hashable, Comparable, Sendable {
  /// The section, from zero.
  public var section: Int
  /// The row in the section, from zero.
  public var row: Int

  /// Creates an index path; sections, and the rows in each, are counted from zero.
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
