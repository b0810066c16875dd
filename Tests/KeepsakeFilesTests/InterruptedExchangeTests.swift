import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

/// The files of a writer that died in the middle of an exchange.
@Suite struct `An exchange of names that was interrupted` {
  /// Makes the three files of an exchange, each of one byte: the replaced one, the placed one, and one that a
  /// foreign program may have saved.
  private func withExchange(
    _ body: (Directory, ExchangeName, String) throws -> Void
  ) throws {
    try withTemporaryDirectory { path in
      for (name, byte) in [("replaced", UInt8(1)), ("placed", 2), ("foreign", 3)] {
        try write([byte], to: path + "/" + name)
      }
      let directory = try Directory(path: path)
      let exchange = ExchangeName(
        placing: try #require(try directory.status(of: "placed")),
        over: try #require(try directory.status(of: "replaced")), at: "f")
      try body(directory, exchange, path)
    }
  }

  private func collect(in path: String, for name: String) throws {
    StaleTemporaries.collect(
      in: try Directory(path: path), for: try FileLocation(path + "/" + name))
  }

  @Test(arguments: [("placed", "replaced"), ("replaced", "placed")])
  func `The file of a completed or undone exchange is collected`(
    temporary: String, named: String
  ) throws {
    try withExchange { directory, exchange, path in
      try directory.replace(exchange.text, with: temporary)
      try directory.replace("f", with: named)
      let before = try contents(of: path + "/f")
      // A writer of any file in the directory collects it.
      try collect(in: path, for: "another")
      #expect(try names(in: path) == ["f", "foreign"])
      #expect(try contents(of: path + "/f") == before)
    }
  }

  @Test func `The next writer of a name gives it back to a foreign newer file`() throws {
    try withExchange { directory, exchange, path in
      try directory.replace("f", with: "placed")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "another")
      #expect(try names(in: path).contains(exchange.text))
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [3])
      #expect(try names(in: path) == ["f", "replaced"])
    }
  }

  @Test func `The file of an exchange stays while its writer lives`() throws {
    try withExchange { directory, exchange, path in
      let living = try directory.openForReading("placed")
      try living.lockWithoutWaiting()
      try directory.replace("f", with: "placed")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [2])
      #expect(try contents(of: path + "/" + exchange.text) == [3])
      withExtendedLifetime(living) {}
    }
  }

  @Test func `The file of an exchange stays when either file has changed since`() throws {
    try withExchange { directory, exchange, path in
      try write([4], to: path + "/f")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [4])
      #expect(try contents(of: path + "/" + exchange.text) == [3])
      // This is one of the two files, but it was changed in place.
      try directory.replace(exchange.text, with: "replaced")
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + exchange.text))
      try handle.truncate(atOffset: 5)
      try collect(in: path, for: "f")
      #expect(try names(in: path).contains(exchange.text))
    }
  }

  @Test func `The name of an exchange identifies its files and its target`() throws {
    try withExchange { directory, exchange, _ in
      let parsed = try #require(ExchangeName(exchange.text))
      #expect(parsed == exchange)
      #expect(exchange.text.wholeMatch(of: /\.[0-9a-f]{48}\.sealswap/) != nil)
      #expect(parsed.isFor("f") && !parsed.isFor("g"))
      let placed = try #require(try directory.status(of: "placed"))
      let foreign = try #require(try directory.status(of: "foreign"))
      #expect(parsed.isPlaced(placed) && parsed.includes(placed))
      #expect(!parsed.isPlaced(foreign) && !parsed.includes(foreign))
      for name in [exchange.text.dropLast(), exchange.text.dropFirst()] {
        #expect(ExchangeName(String(name)) == nil)
      }
      #expect(ExchangeName(exchange.text.uppercased()) == nil)
    }
  }
}
