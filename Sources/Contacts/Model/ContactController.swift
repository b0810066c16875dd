package import Keepsake

/// One contact: an existing one when pushed, a new one when presented; its fields can be edited.
package final class ContactController: HeadlessViewController {
  package override class var restorationTypeName: String { "Contact" }

  /// The fields' names, which are their restoration identifiers, too.
  package static let fieldNames = ["Name", "Phone", "Note"]

  package let isNew: Bool
  package let fields = fieldNames.map { HeadlessTextField(restorationIdentifier: $0) }
  package private(set) var contactIdentifier: String?
  /// The index of the field that is being edited, also while another screen covers this one.
  private var editedIndex: Int?
  private unowned let app: ContactsApp

  init(isNew: Bool, of app: ContactsApp) {
    self.isNew = isNew
    self.app = app
    super.init(restorationIdentifier: "Contact")
    for field in fields { addView(field) }
  }

  package var title: String {
    isNew ? "New contact" : (isEditing ? "Edit " : "") + (fields.first?.text ?? "")
  }

  /// Shows a contact of the book, or empty fields for a new one.
  func show(_ identifier: String) {
    contactIdentifier = identifier
    let contact = app.book.contact(identifier)
    let texts = [contact?.name, contact?.phone, contact?.note]
    for (field, text) in zip(fields, texts) { field.text = text ?? "" }
  }

  /// Writes the texts of an edit, too, since nothing else stores them.
  package override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(contactIdentifier, forKey: "contact")
    guard let editedIndex else { return }
    coder.encode(editedIndex, forKey: "editedField")
    coder.encode(fields.map(\.text), forKey: "texts")
  }

  package override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let contact = try coder.decodeIfPresent(String.self, forKey: "contact") { show(contact) }
    guard let index = try coder.decodeIfPresent(Int.self, forKey: "editedField"),
      fields.indices.contains(index)
    else { return }
    for (field, text) in zip(fields, try coder.decode([String].self, forKey: "texts")) {
      field.text = text
    }
    editedIndex = index
    resumeEditing()
  }
}

// Editing; the book does not change until the user keeps the texts.
extension ContactController {
  package var isEditing: Bool { editedIndex != nil }

  /// The field with the keyboard focus.
  package var editedField: HeadlessTextField? { editedIndex.map { fields[$0] } }

  /// Moves the keyboard focus back to the edited field, after another screen had it.
  func resumeEditing() { editedField?.becomeFirstResponder() }

  /// Edits a field, with the cursor after its text; an invalid index changes nothing.
  package func beginEditing(_ index: Int = 0) {
    guard fields.indices.contains(index) else { return }
    let end = fields[index].text.count
    for field in fields { field.select(nil) }
    editedIndex = index
    resumeEditing()
    fields[index].select(end..<end)
  }

  /// Edits the field at a distance from the current one, wrapping around at the ends.
  package func moveFocus(by distance: Int) {
    guard let index = editedIndex else { return }
    let count = fields.count
    beginEditing(((index + distance) % count + count) % count)
  }

  /// Stores the texts in the book; if that fails, editing continues.
  package func keep() {
    guard let contactIdentifier else { return }
    let texts = fields.map(\.text)
    let contact = Contact(
      identifier: contactIdentifier, name: texts[0], phone: texts[1], note: texts[2])
    guard app.keep(contact) else { return }
    endEditing()
    if isNew { app.endNewContact(showing: contactIdentifier) }
  }

  /// Discards the texts.
  package func giveUp() {
    endEditing()
    if isNew {
      app.endNewContact(showing: nil)
    } else if let contactIdentifier {
      show(contactIdentifier)
    }
  }

  private func endEditing() {
    editedIndex = nil
    for field in fields {
      field.resignFirstResponder()
      field.select(nil)
    }
  }
}
