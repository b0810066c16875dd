/// What a table shows: the number of its rows, section by section.
///
/// Adopt ``RestorationModelAssociation`` too, so that selection and position follow the model.
@MainActor
public protocol HeadlessTableDataSource: AnyObject {
  /// The number of rows in each section.
  var rowCounts: [Int] { get }
}
