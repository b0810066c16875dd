/// A data source that tells the rows of a view apart by the identity of what they show.
///
/// With it a table's selection and scroll position follow the model when rows were inserted, removed
/// or sorted between two launches; without it index paths are restored as they were.
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

  /// Returns where a model object is now, at a restore.
  ///
  /// - Parameters:
  ///   - identifier: An identifier that was returned at the save.
  ///   - view: The view that is being restored.
  /// - Returns: The position of the object, or `nil` when it no longer exists.
  func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath?
}
