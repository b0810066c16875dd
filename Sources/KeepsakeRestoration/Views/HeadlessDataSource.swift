/// What a table or a collection shows: the number of its elements, section by section.
///
/// Adopt ``RestorationModelAssociation`` too, so that selection and position follow the model.
@MainActor
public protocol HeadlessDataSource: AnyObject {
  /// The number of elements in each section.
  var elementCounts: [Int] { get }
}
