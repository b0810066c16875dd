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
    let form = Box(isVertical: true)
    form.setMargin(12)
    noteArea.addStyle("frame")
    let buttons = Box(isVertical: false)
    // The dialog of a new contact has its buttons in its own bar.
    if !isNew { form.append(buttons) }
    for (title, field) in [("Name", nameEntry), ("Phone", phoneEntry), ("Note", noteArea)]
      as [(String, Widget)]
    {
      let label = Label(title)
      label.addStyle("dim-label")
      form.append(label)
      form.append(field)
    }
    super.init("Contact", widget: form)
    let keepButton = Button("_Keep") { [weak self] in self?.keep() }
    keepButton.addStyle("suggested-action")
    buttons.append(Button("_Back") { [weak window] in window?.goBack() })
    // The empty text moves the buttons after it to the right.
    buttons.append(Label())
    buttons.append(Button("_Favourite") { [weak self] in self?.toggleFavourite() })
    buttons.append(keepButton)
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

  /// The texts of the contact in the book; empty for a new one, and before the app has its contacts.
  private var keptTexts: [String] {
    let contact = window.app.hasRows ? contactIdentifier.flatMap(window.app.book.contact) : nil
    return [contact?.name ?? "", contact?.phone ?? "", contact?.note ?? ""]
  }

  func show(_ identifier: String) {
    contactIdentifier = identifier
    refresh()
  }

  /// True when the form has texts that the book does not have.
  var isEdited: Bool { texts != keptTexts }

  /// Shows the texts that the book has now.
  func refresh() { texts = keptTexts }

  func focus() { nameEntry.grabFocus() }

  /// Writes the texts into the book; a new contact is then shown in the list.
  func keep() {
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

  /// Writes texts that are not in the book, since nothing else stores them.
  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(contactIdentifier, forKey: "contact")
    if isEdited { coder.encode(texts, forKey: "texts") }
  }

  /// Reads the texts; a screen decodes before its widgets, so they restore selections in the texts that are read here.
  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let identifier = try coder.decodeIfPresent(String.self, forKey: "contact") {
      show(identifier)
    }
    if let edited = try coder.decodeIfPresent([String].self, forKey: "texts") { texts = edited }
  }
}
