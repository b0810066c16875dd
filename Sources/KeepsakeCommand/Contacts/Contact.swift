/// A person in the contacts app's own model.
struct Contact: Codable, Equatable {
  /// The identifier that the app knows the contact by, wherever it is in the list.
  let identifier: String
  var name: String
  var phone: String
}
