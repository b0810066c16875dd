import KeepsakeArchive
import Testing

private let composed = ArchiveKey("pr\u{E9}nom")
private let decomposed = ArchiveKey("pre\u{301}nom")

@Suite struct `A key that is stored in another Unicode form` {
  private struct Person: ArchiveRecord {
    var name: String?

    func encode(to coder: inout ObjectEncoder) { coder.encode(name, forKey: composed) }
    init(name: String?) { self.name = name }
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      name = try coder.decodeIfPresent(forKey: decomposed)
    }
  }

  @Test func `A key in another Unicode form is an error that shows both spellings`() throws {
    let object = try archive { coder in
      coder.encode("Zoe", forKey: composed)
      coder.encode([1], forKey: "\u{212B}")
    }.object(first)
    for error in [
      archiveError { _ = try object.decode(String.self, forKey: decomposed) },
      archiveError { _ = try object.decodeIfPresent(String.self, forKey: decomposed) },
      archiveError { _ = try object.decode(String.self, forKey: decomposed, default: "") },
      archiveError { _ = try object.decodeRecord(Person.self, forKey: decomposed) },
    ] {
      #expect(error?.code == .absentKey && error?.keyPath == [decomposed.name])
      #expect(
        error?.message == #"there is no value under "pre\u{301}nom", but one under "pr\u{E9}nom", "#
          + "the same name in another Unicode form")
      #expect(error?.description.hasSuffix("in the form in which it is stored.") == true)
    }
    // Three spellings of one letter.
    for name in ["\u{C5}", "A\u{30A}"] as [ArchiveKey] {
      #expect(archiveError { _ = try object.decodeIfPresent([Int].self, forKey: name) } != nil)
    }
    #expect(
      archiveError { _ = try object.withSpan(of: Int8.self, forKey: "\u{C5}") { $0.count } } != nil)
    #expect(try object.decode([Int].self, forKey: "\u{212B}") == [1])
    #expect(try object.decode(String.self, forKey: composed) == "Zoe")
    #expect(!object.contains(decomposed) && object.contains(composed))
  }

  @Test
  func `A key in another Unicode form is an error in nested records and among many keys`() throws {
    let archive = try archive { coder in
      coder.encode(Person(name: "Zoe"), forKey: "one")
      coder.encode([Person(name: "Zoe")], forKey: "many")
      for index in 0..<100 { coder.encode(index, forKey: ArchiveKey("key \(index)")) }
    }
    let object = try archive.object(first)
    let one = archiveError { _ = try object.decode(Person.self, forKey: "one") }
    #expect(one?.code == .absentKey && one?.keyPath == ["one", decomposed.name])
    let many = archiveError { _ = try object.decode([Person].self, forKey: "many") }
    #expect(many?.code == .absentKey && many?.keyPath == ["many", "[0]", decomposed.name])
  }

  @Test func `A key under a scope whose name has another Unicode form is an error`() throws {
    let object = try archive { coder in
      coder.withScope("r\u{E9}glages") { $0.encode(1, forKey: "size") }
    }.object(first)
    let scope = object.scope("re\u{301}glages")
    let error = archiveError { _ = try scope.decodeIfPresent(Int.self, forKey: "size") }
    #expect(error?.code == .absentKey)
    let names = #"scope "re\u{301}glages", but one named "r\u{E9}glages""#
    #expect(error?.message.contains(names) == true)
    #expect(try object.scope("r\u{E9}glages").decode(Int.self, forKey: "size") == 1)
    let absent = object.scope("\u{E9}t\u{E9}")
    #expect(try absent.decodeIfPresent(Int.self, forKey: "size") == nil)
  }

  @Test
  func `No other Unicode form is searched for a name that has a slot or is ASCII`() throws {
    let object = try archive { coder in
      coder.encode("Zoe", forKey: composed)
      coder.encode(nil as String?, forKey: decomposed)
    }.object(first)
    #expect(try object.decodeIfPresent(String.self, forKey: decomposed) == nil)
    #expect(try object.decodeIfPresent(String.self, forKey: "prenom") == nil)
    #expect(try object.decodeIfPresent(String.self, forKey: "\u{E9}") == nil)
    let absent = archiveError { _ = try object.decode(String.self, forKey: "\u{E9}") }
    #expect(absent?.message == "there is no value under the key \"\u{E9}\"")
    #expect(absent?.offset != nil)
  }
}
