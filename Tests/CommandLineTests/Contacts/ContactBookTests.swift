import ContactsModel
import Foundation
import Keepsake
import Testing

@MainActor
@Suite struct `The contacts of a file` {
  private func withPath(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      try body(directory.appendingPathComponent("contacts.json").path)
    }
  }

  private func contact(_ identifier: String, _ name: String) -> Contact {
    Contact(identifier: identifier, name: name, phone: "1", note: "")
  }

  @Test func `The app has sample contacts and writes no file until a contact is saved`() throws {
    try withPath { path in
      let book = try ContactBook(path: path)
      #expect(book.contacts.count == 240)
      #expect(Set(book.contacts.map(\.identifier)).count == 240)
      #expect(book.contacts[84].name == "Edsger Johnson")
      #expect(try DurableFile.kind(of: path) == .absent)
      try book.keep(book.contacts[0])
      #expect(try ContactBook(path: path).contacts == book.contacts)
    }
  }

  @Test func `New and changed contacts take their place in the order of the file`() throws {
    try withPath { path in
      let book = try ContactBook(path: path)
      try book.keep(contact("new", "Mary Hamilton"))
      let row = try #require(book.row(of: "new"))
      #expect(book.contacts[row - 1].name == "Margaret Hamilton")
      #expect(book.contacts[row + 1].name == "Niklaus Hamilton")
      try book.sort(by: .givenName)
      let sorted = try ContactBook(path: path)
      let place = try #require(sorted.row(of: "new"))
      #expect(sorted.contacts[place - 1].name == "Margaret Turing")
      #expect(sorted.contacts[place + 1].name == "Niklaus Allen")
      try sorted.keep(contact("new", "Aaron Zuse"))
      #expect(sorted.row(of: "new") == 0 && sorted.contacts.count == 241)
      try sorted.keep(contact("last", "Zoë"))
      #expect(sorted.row(of: "last") == 241)
    }
  }

  @Test func `A contact that is saved again is stored once`() throws {
    try withPath { path in
      let book = try ContactBook(path: path)
      for _ in 0..<2 { try book.keep(contact("new", "Mary Hamilton")) }
      #expect(book.contacts.count { $0.identifier == "new" } == 1)
      for identifier in ["z", "a", "m", "m"] { try book.keep(contact(identifier, "")) }
      #expect(book.contacts[..<3].map(\.identifier) == ["z", "a", "m"], "order of saving")
    }
  }

  @Test func `The contacts that two processes save are all stored`() throws {
    try withPath { path in
      let (first, second) = (try ContactBook(path: path), try ContactBook(path: path))
      try first.keep(contact("one", "One"))
      try second.keep(contact("two", "Two"))
      #expect(second.contact("one") != nil && first.contact("two") == nil)
      #expect(try ContactBook(path: path).contacts == second.contacts)
    }
  }

  @Test func `Two processes do not change the contacts at the same time`() throws {
    try withPath { path in
      let book = try ContactBook(path: path)
      let lock = try FileLock(at: path + ".lock")
      #expect {
        try book.keep(contact("new", "New"))
      } throws: { error in
        (error as? FileError)?.code == .fileLocked
      }
      #expect(book.contact("new") == nil)
      #expect(try DurableFile.kind(of: path) == .absent)
      withExtendedLifetime(lock) {}
    }
  }

  @Test(arguments: ["", "[]", "{\"contacts\": 1}", "\u{1B}"])
  func `A file without contacts is refused with a sentence, and does not change`(text: String)
    throws
  {
    try withPath { path in
      let book = try ContactBook(path: path)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect {
        _ = try ContactBook(path: path)
      } throws: { error in
        "\(error)".hasPrefix("The file \"\(path)\" does not hold contacts")
          && "\(error)".hasSuffix(".")
      }
      #expect(throws: ContactBook.DamageError.self) { try book.keep(contact("new", "New")) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }
  }
}

// Every front end of the app relies on these rules.
@MainActor
@Suite struct `The rules of the contacts app` {
  private func withApp(_ body: (ContactsApp) throws -> Void) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let book = try ContactBook(path: directory.appendingPathComponent("contacts.json").path)
      let app = ContactsApp(book: book, rowHeight: 44)
      app.willFinishLaunching()
      app.allContacts.layOut(height: 660)
      try body(app)
    }
  }

  @Test func `A list scrolls only as far as a row needs to be visible`() throws {
    try withApp { app in
      let (list, table) = (app.allContacts, app.allContacts.table)
      list.select(14)
      #expect(table.contentOffset.y == 0)
      list.select(15)
      #expect(table.contentOffset.y == 44)
      list.select(1)
      #expect(table.contentOffset.y == 44)
      list.select(0)
      #expect(table.contentOffset.y == 0)
      list.select(1_000)
      #expect(list.selectedRow == 239 && table.contentOffset.y == 240 * 44 - 660)
      list.select(-1)
      #expect(list.selectedRow == 0)
    }
  }

  @Test func `A selection follows a contact that moves in its list`() throws {
    try withApp { app in
      app.allContacts.select(100)
      let name = app.book.contacts[100].name
      app.allContacts.openSelected()
      let controller = try #require(app.visibleController as? ContactController)
      controller.beginEditing()
      controller.fields[0].text = "Zoë Zuse"
      controller.keep()
      #expect(!controller.isEditing && app.notice.isEmpty)
      #expect(app.book.contacts[239].name == "Zoë Zuse" && app.book.contacts[100].name != name)
      #expect(app.allContacts.selectedRow == 239)
      #expect(app.lists[1].contacts.map(\.name) == ["Zoë Zuse"])
    }
  }

  // A restore reads the book again, so an app that showed an older text would differ after a kill.
  @Test func `A contact that is open in two tabs shows the text that was saved last`() throws {
    try withApp { app in
      app.allContacts.select(0)
      app.allContacts.openSelected()
      let first = try #require(app.visibleController as? ContactController)
      app.selectTab(1)
      app.lists[1].select(0)
      app.lists[1].openSelected()
      let second = try #require(app.visibleController as? ContactController)
      #expect(second !== first && second.contactIdentifier == first.contactIdentifier)
      second.beginEditing()
      second.fields[0].text = "Ada Byron"
      #expect(first.title == "Ada Allen")
      second.keep()
      #expect(first.title == "Ada Byron" && second.title == "Ada Byron")

      // An unsaved edit stays.
      first.beginEditing(1)
      first.fields[1].text = "unsaved"
      second.beginEditing(2)
      second.fields[2].text = "a note"
      second.keep()
      #expect(first.fields.map(\.text) == ["Ada Byron", "unsaved", ""])
    }
  }

  @Test func `Editing continues, with a notice, when the book cannot be written`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let path = directory.appendingPathComponent("contacts.json").path
      let app = ContactsApp(book: try ContactBook(path: path), rowHeight: 1)
      app.willFinishLaunching()
      app.beginNewContact()
      let controller = try #require(app.visibleController as? ContactController)
      controller.fields[0].text = "New"
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
      controller.keep()
      #expect(app.isEditing && controller.fields[0].text == "New")
      #expect(app.notice.hasPrefix("The file \"\(path)\" does not hold contacts"))
      controller.giveUp()
      #expect(app.visibleController === app.allContacts && app.tabs.presentedController == nil)
    }
  }

  @Test func `The cursor moves round the fields, and going back closes the top screen`() throws {
    try withApp { app in
      app.beginNewContact()
      let controller = try #require(app.visibleController as? ContactController)
      controller.moveFocus(by: -1)
      #expect(controller.editedField === controller.fields[2])
      controller.moveFocus(by: 4)
      #expect(controller.editedField === controller.fields[0])
      controller.beginEditing(3)
      #expect(controller.editedField === controller.fields[0])
      app.goBack()
      #expect(app.visibleController === app.allContacts)
      app.goBack()
      #expect(app.visibleController === app.allContacts)
    }
  }
}
