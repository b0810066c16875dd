import Keepsake

/// A contact on a screen of its own: shown when pushed, made when presented.
final class ContactDetailController: HeadlessViewController {
  private static let contactKey: ArchiveKey = "contact"
  private static let editedTextKey: ArchiveKey = "editedText"
  private static let editedFieldKey: ArchiveKey = "editedField"

  let isNew: Bool
  let nameField = HeadlessTextField(restorationIdentifier: "NameField")
  let phoneField = HeadlessTextField(restorationIdentifier: "PhoneField")
  private(set) var contactIdentifier: String?

  init(isNew: Bool) {
    self.isNew = isNew
    super.init(restorationIdentifier: "ContactDetail")
    restorationClass = ContactDetailController.self
    addView(nameField)
    addView(phoneField)
  }

  /// Shows what the model has of a contact.
  func show(_ identifier: String) {
    guard let contact = ContactBook.shared.contact(identifier) else { return }
    contactIdentifier = identifier
    nameField.text = contact.name
    phoneField.text = contact.phone
  }

  /// Writes the identifier of the contact, and the text of the field that is being edited: the model
  /// does not have it yet.
  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(contactIdentifier, forKey: Self.contactKey)
    if nameField.isFirstResponder {
      coder.encode(Int32(1), forKey: Self.editedFieldKey)
      coder.encode(nameField.text, forKey: Self.editedTextKey)
    } else if phoneField.isFirstResponder {
      coder.encode(Int32(2), forKey: Self.editedFieldKey)
      coder.encode(phoneField.text, forKey: Self.editedTextKey)
    } else {
      coder.encode(Int32(0), forKey: Self.editedFieldKey)
    }
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let contact = try coder.decodeIfPresent(String.self, forKey: Self.contactKey) {
      show(contact)
    }
    let fields: [Int: HeadlessTextField] = [1: nameField, 2: phoneField]
    let number = try coder.decode(Int.self, forKey: Self.editedFieldKey)
    guard let field = fields[number] else { return }
    field.text = try coder.decode(String.self, forKey: Self.editedTextKey)
    field.becomeFirstResponder()
  }
}

extension ContactDetailController: RestorationClass {
  /// Makes the screen; the length of the path tells a presented screen from a pushed one, since the
  /// navigation controller that is presented has a place in the path.
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    ContactDetailController(isNew: path.count == 3)
  }
}
