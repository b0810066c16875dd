import KeepsakeSeal
import Testing

@testable import KeepsakeJournal

@Suite struct `Errors of journals` {
  @Test func `An error names the file, the byte and the entry, and says what to do`() {
    let error = JournalError(.damaged, path: "/a/b", offset: 5, entry: 3)
    #expect(
      error.description == """
        The journal is damaged in "/a/b" at byte 5, from entry 3 on. Keep a copy of the directory; reading can continue \
        after the damage if a program requests it.
        """)
    #expect(
      JournalError(.closed).description
        == "The journal at the given place was closed. Open it again to append to it.")
    #expect(
      JournalError(.entryTooLarge, path: "/a", detail: "17 bytes").description == """
        An entry is larger than a journal can hold, and was not appended (17 bytes). Split it; an entry has at most \
        16 MiB.
        """)
    #expect(
      JournalError(.entryAbsent, path: "/a", entry: 7).description
        == "The journal at \"/a\" has no entry 7. Ask for the number of entries first.")
  }

  @Test func `The error of a file or a key has the sentence of that error, and a path`() {
    let full = SealError(.noSpace, path: "/a/b")
    #expect(JournalError(full, path: "/c").path == "/a/b")
    #expect(JournalError(full, path: "/c").description == full.description)
    let placeless = SealError(.noSpace)
    #expect(JournalError(placeless).description == placeless.description)
    #expect(
      JournalError(placeless, path: "/c").description
        == placeless.description + " The journal is at \"/c\".")
  }

  @Test func `A lock and a lost durability are told as those of a journal`() {
    let locked = JournalError(SealError(.fileLocked, path: "/a/lock"))
    #expect(locked.code == .journalInUse)
    #expect(locked.description.hasPrefix("Another writer has the journal at \"/a/lock\" open."))
    let unknown = JournalError(SealError(.durabilityUnknown, path: "/a"))
    #expect(unknown.code == .durabilityUnknown)
    #expect(
      unknown.description.hasPrefix(
        "The system could not confirm that entries of \"/a\" are durable."))
  }
}
