import Keepsake
import TerminalScreen

/// One person: shown when pushed, made when presented; with fields that are being edited or not.
final class PersonScreen: Screen {
  private static let labels = ["Name", "Phone", "Note"]

  let isNew: Bool
  let fields = ["Name", "Phone", "Note"].map { HeadlessTextField(restorationIdentifier: $0) }
  private(set) var personIdentifier: String?

  init(isNew: Bool, of app: ContactsApp) {
    self.isNew = isNew
    super.init("Person", of: app)
    restorationClass = PersonScreen.self
    for field in fields { addView(field) }
  }

  /// Shows what the model has of a person, or nothing yet of a new one.
  func show(_ identifier: String) {
    personIdentifier = identifier
    let person = app.book.person(identifier)
    let texts = [person?.name, person?.phone, person?.note]
    for (field, text) in zip(fields, texts) { field.text = text ?? "" }
  }

  private var editedField: HeadlessTextField? { fields.first(where: \.isFirstResponder) }
  var isEditing: Bool { editedField != nil }

  override var title: String {
    isNew ? "New contact" : (isEditing ? "Edit " : "") + (fields.first?.text ?? "")
  }

  override var hint: String {
    isEditing
      ? "Type   ↑↓ Tab other field   Enter keep   Esc give up"
      : "e edit   ← back   n new   Tab next tab   q quit"
  }

  override func draw(in canvas: inout Canvas, lines: Range<Int>) {
    var line = lines.lowerBound + 1
    for (label, field) in zip(Self.labels, fields) where lines.contains(line) {
      let heading = "  \(label):".padding(to: 10)
      // A long text scrolls, so that its cursor is always to be seen.
      let room = max(1, canvas.width - 12)
      let hidden = field.isFirstResponder ? max(0, field.cursor - room + 1) : 0
      let visible = String(field.text.dropFirst(hidden))
      canvas.write(
        [(heading, .dim), (visible.fitted(to: room), field.isFirstResponder ? .bold : .plain)],
        inLine: line)
      if field.isFirstResponder {
        let before = String(field.text.dropFirst(hidden).prefix(field.cursor - hidden))
        canvas.placeCursor(inLine: line, column: 10 + before.displayWidth)
      }
      line += 2
    }
  }

  override func handle(_ key: TerminalKey) -> Bool {
    guard let field = editedField else { return handleReading(key) }
    switch key {
    case .enter: keep()
    case .escape: giveUp()
    case .tab, .down: moveFocus(by: 1)
    case .backTab, .up: moveFocus(by: -1)
    default: field.edit(key)
    }
    // Every other key is for the field, too: nothing typed here may switch tabs or quit.
    return true
  }

  private func handleReading(_ key: TerminalKey) -> Bool {
    switch key {
    case .character("e"), .enter: beginEditing()
    case .left, .escape, .backspace: app.goBack()
    case .character("n"): app.beginNewPerson()
    default: return false
    }
    return true
  }

  func beginEditing(_ index: Int = 0) {
    fields[index].becomeFirstResponder()
    fields[index].placeCursor(fields[index].text.count)
  }

  private func moveFocus(by distance: Int) {
    guard let index = fields.firstIndex(where: \.isFirstResponder) else { return }
    beginEditing((index + distance + fields.count) % fields.count)
  }

  private func endEditing() {
    for field in fields {
      field.resignFirstResponder()
      field.select(nil)
    }
  }

  private func keep() {
    guard let personIdentifier else { return }
    let texts = fields.map(\.text)
    let person = Person(
      identifier: personIdentifier, name: texts[0], phone: texts[1], note: texts[2])
    guard app.keep(person) else { return }
    endEditing()
    if isNew { app.endNewPerson(showing: personIdentifier) }
  }

  private func giveUp() {
    endEditing()
    if isNew {
      app.endNewPerson(showing: nil)
    } else if let personIdentifier {
      show(personIdentifier)
    }
  }

  // The model does not have the texts of an edit yet: they are part of the state.
  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(personIdentifier, forKey: "person")
    guard let index = fields.firstIndex(where: \.isFirstResponder) else { return }
    coder.encode(index, forKey: "editedField")
    coder.encode(fields.map(\.text), forKey: "texts")
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let person = try coder.decodeIfPresent(String.self, forKey: "person") { show(person) }
    guard let index = try coder.decodeIfPresent(Int.self, forKey: "editedField"),
      fields.indices.contains(index)
    else { return }
    for (field, text) in zip(fields, try coder.decode([String].self, forKey: "texts")) {
      field.text = text
    }
    fields[index].becomeFirstResponder()
  }
}

extension PersonScreen: RestorationClass {
  /// Makes the screen; what lies in the presented stack is a new person.
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    guard let app = ContactsApp.current else { return nil }
    return PersonScreen(isNew: path.components.contains(ContactsApp.newPersonStack), of: app)
  }
}
