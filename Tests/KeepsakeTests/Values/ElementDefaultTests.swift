import Foundation
import Keepsake
import TestSupport
import Testing

private struct OldItem: Codable, Equatable, Sendable {
  var title = "t"
}

private struct Item: Codable, Equatable, Sendable, ValueWithDefaults {
  var title = "t"
  var stars = 7
  static var defaults: Item { Item() }
}

private struct PlainItem: Codable, Equatable, Sendable {
  var title = "t"
  var stars = 7
}

private struct OldValue: Codable, Sendable {
  var list = [OldItem(), OldItem()]
  var table = ["k": OldItem()]
  var last: OldItem? = OldItem()
  var main = OldItem()
}

private struct Value<Element: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  var list: [Element] = []
  var table: [String: Element] = [:]
  var last: Element?
  var main: Element
}

@Suite struct `A property that an older file lacks` {
  private func load<Element: Codable & Equatable & Sendable>(
    _ value: Value<Element>
  ) throws -> Value<Element> {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/value", SealedValueKey.key(try SealKey.generate()))
      try SealedValueStore(path: path, key: key, default: OldValue()).save(OldValue())
      return try SealedValueStore(path: path, key: key, default: value).load()
    }
  }

  @Test
  func `A missing property has its default in elements, dictionary values and optionals`() throws {
    // The store's default has a value for `main.stars`, which is taken in place of the type's default.
    let value = try load(Value(main: Item(stars: 3)))
    #expect(
      value
        == Value(list: [Item(), Item()], table: ["k": Item()], last: Item(), main: Item(stars: 3)))
  }

  @Test func `The error of a missing property names it and says what to do`() throws {
    let error = #expect(throws: KeepsakeError.self) {
      try load(Value(main: PlainItem(stars: 3)))
    }
    #expect(error?.code == .valueUnreadable)
    #expect(
      error?.description.contains(
        "There is no value under stars. If its key was renamed, add a migration; otherwise read it with "
          + "decodeIfPresent, or give its type defaults as a "
          + "ValueWithDefaults. (at list[0])") == true)
  }

  private struct Composed: Codable, Sendable {
    var name = "Zoe"
    enum CodingKeys: String, CodingKey { case name = "pr\u{E9}nom" }
  }

  private struct Decomposed: Codable, Sendable {
    var name = ""
    enum CodingKeys: String, CodingKey { case name = "pre\u{301}nom" }
  }

  @Test
  func `A default is not taken for a property that is stored in another Unicode form`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/value", SealedValueKey.key(try SealKey.generate()))
      try SealedValueStore(path: path, key: key, default: Composed()).save(Composed())
      let error = #expect(throws: KeepsakeError.self) {
        try SealedValueStore(path: path, key: key, default: Decomposed()).load()
      }
      #expect(error?.code == .valueUnreadable)
      #expect(error?.description.contains(#""pre\u{301}nom", but one under "pr\u{E9}nom""#) == true)
    }
  }
}
