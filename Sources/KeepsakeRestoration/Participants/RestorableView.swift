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
  /// Returns the identifier of the model object at an index path, at a save.
  ///
  /// - Parameters:
  ///   - indexPath: A position in the view.
  ///   - view: The view that is being saved.
  /// - Returns: An identifier that stays the same across launches, or `nil` to skip the element.
  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String?

  /// Returns the present position of a model object, at a restore.
  ///
  /// - Parameters:
  ///   - identifier: An identifier that was returned at the save.
  ///   - view: The view that is being restored.
  /// - Returns: The position of the object, or `nil` when it no longer exists.
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
