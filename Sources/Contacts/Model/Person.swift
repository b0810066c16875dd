/// A person in the app's own model.
struct Person: Codable, Equatable {
  /// What the app knows the person by, wherever in the list.
  let identifier: String
  var name: String
  var phone: String
  var note: String
}
