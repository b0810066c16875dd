import DesktopContactsModel
import GTKRestoration
import Keepsake

/// A form for one contact: an existing one when pushed, a new one when presented.
final class ContactFormNode: WidgetNode {
  override class var restorationTypeName: String { "Contact" }

  private let nameEntry = Entry(placeholder: "Name")
  private let phoneEntry = Entry(placeholder: "Phone")
  private let noteArea = TextArea(name: "Note")
  private let isNew: Bool
  private unowned let window: ContactsWindow
  private var contactIdentifier: String?

  init(isNew: Bool, of window: ContactsWindow) {
    self.isNew = isNew
    self.window = window
    let buttons = Box(isVertical: false)
    super.init(
      "Contact", widget: Box(isVertical: true, [buttons, nameEntry, phoneEntry, noteArea]))
    buttons.append(Button(isNew ? "_Cancel" : "_Back") { [weak self] in self?.leave() })
    buttons.append(Button(isNew ? "_Add" : "_Keep") { [weak self] in self?.keep() })
    if !isNew {
      buttons.append(Button("_Favourite") { [weak self] in self?.toggleFavourite() })
    }
    addView(EntryView("Name", nameEntry))
    addView(EntryView("Phone", phoneEntry))
    addView(TextAreaView("Note", noteArea))
  }

  private var texts: [String] {
    get { [nameEntry.text, phoneEntry.text, noteArea.text] }
    set {
      guard newValue.count == 3 else { return }
      nameEntry.text = newValue[0]
      phoneEntry.text = newValue[1]
      noteArea.text = newValue[2]
    }
  }

  /// The texts of the contact in the book; empty for a new one.
  private var keptTexts: [String] {
    let contact = contactIdentifier.flatMap(window.app.book.contact)
    return [contact?.name ?? "", contact?.phone ?? "", contact?.note ?? ""]
  }

  func show(_ identifier: String) {
    contactIdentifier = identifier
    refresh()
  }

  /// True when the form has texts that the book does not have.
  var isEdited: Bool { texts != keptTexts }

  /// Shows what the book has by now.
  func refresh() { texts = keptTexts }

  func focus() { nameEntry.grabFocus() }

  private func leave() {
    if isNew { window.endNewContact(showing: nil) } else { window.goBack() }
  }

  private func keep() {
    guard let contactIdentifier else { return }
    let contact = Contact(
      identifier: contactIdentifier, name: nameEntry.text, phone: phoneEntry.text,
      note: noteArea.text)
    guard window.change({ try $0.keep(contact) }) else { return }
    if isNew { window.endNewContact(showing: contactIdentifier) } else { noteChange() }
  }

  private func toggleFavourite() {
    guard let contactIdentifier else { return }
    window.change { try $0.setFavourite(contactIdentifier, !$0.isFavourite(contactIdentifier)) }
  }

  /// Writes texts that the book does not have: they are stored nowhere else.
  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(contactIdentifier, forKey: "contact")
    if isEdited { coder.encode(texts, forKey: "texts") }
  }

  /// Reads the texts; a screen decodes before its widgets, so they find the texts of their selections.
  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let identifier = try coder.decodeIfPresent(String.self, forKey: "contact") {
      show(identifier)
    }
    if let edited = try coder.decodeIfPresent([String].self, forKey: "texts") { texts = edited }
  }
}
