import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The form of source document S1: a first and a last name, and an edit in progress.
@MainActor
@Suite struct `A form with an edit in progress` {
  final class NameForm: HeadlessViewController {
    static let names = ["user-7": (first: "Ada", last: "Lovelace")]

    let firstName = HeadlessTextField()
    let lastName = HeadlessTextField()
    private(set) var userID: String?

    init(userID: String? = nil) {
      super.init(restorationIdentifier: "NameForm")
      addView(firstName)
      addView(lastName)
      if let userID { show(userID) }
    }

    func show(_ userID: String) {
      self.userID = userID
      firstName.text = Self.names[userID]?.first ?? ""
      lastName.text = Self.names[userID]?.last ?? ""
    }

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(userID, forKey: "UserID")
      if firstName.isFirstResponder {
        coder.encode(firstName.text, forKey: "EditedText")
        coder.encode(Int32(1), forKey: "EditField")
      } else if lastName.isFirstResponder {
        coder.encode(lastName.text, forKey: "EditedText")
        coder.encode(Int32(2), forKey: "EditField")
      } else {
        coder.encode(Int32(0), forKey: "EditField")
      }
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      show(try coder.decode(String.self, forKey: "UserID"))
      let editedText = try coder.decodeIfPresent(String.self, forKey: "EditedText")
      switch try coder.decode(Int.self, forKey: "EditField") {
      case 1: edit(firstName, editedText)
      case 2: edit(lastName, editedText)
      default: #expect(editedText == nil, "the key of the text is absent")
      }
    }

    private func edit(_ field: HeadlessTextField, _ text: String?) {
      field.text = text ?? ""
      field.becomeFirstResponder()
    }
  }

  @Test(arguments: [0, 1, 2])
  func `A form is restored with its unsaved text and its first responder`(edited: Int) async throws
  {
    let form = NameForm(userID: "user-7")
    let fields = [form.firstName, form.lastName]
    if edited > 0 {
      fields[edited - 1].text = "unsaved"
      fields[edited - 1].becomeFirstResponder()
    }
    let relaunch = try await relaunch(TestApp(root: form)) {
      let app = TestApp()
      app.make = { _ in NameForm() }
      return app
    }
    let restored = try #require(relaunch.app.root as? NameForm)
    #expect(restored.userID == "user-7")
    let texts = [restored.firstName.text, restored.lastName.text]
    #expect(texts == [edited == 1 ? "unsaved" : "Ada", edited == 2 ? "unsaved" : "Lovelace"])
    let responders = [restored.firstName, restored.lastName].map(\.isFirstResponder)
    #expect(responders == [edited == 1, edited == 2])
    #expect(relaunch.restoreReport.disposition(of: "NameForm") == .restored)
  }
}
