import Foundation
import TestSupport
import Testing

// The test kills real processes, at moments that it does not choose.
@Suite(.needsTerminal) struct `The contacts app, killed again and again` {
  private static let keys = [
    "Down", "Down", "Down", "Up", "PPage", "NPage", "Enter", "Enter", "Escape", "Left", "Right",
    "Tab", "e", "n", "a", "b", "d", "f", "h", "o", "BSpace", "Home", "End", "1", "2", "3", "Space",
  ]

  /// The seed decides the keys and how long the app runs, but not the exact moment of a kill.
  private static var seed: UInt64 {
    ProcessInfo.processInfo.environment["KEEPSAKE_KILL_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0..<1_000_000)
  }

  /// The screen without the line that counts keys.
  private func interface(_ screen: [String]) -> [String] { Array(screen.dropLast()) }

  /// Presses keys in small portions, and does not wait for the last of them.
  ///
  /// A terminal splits long portions. On a busy machine the parts are so far apart that the start of an arrow key is
  /// taken for the escape key.
  private func press(_ keys: [String], in app: ContactsInTerminal, after count: Int) throws {
    for start in stride(from: 0, to: keys.count, by: 15) {
      try app.screen { ContactsInTerminal.status(of: $0)?.keyCount == count + start }
      try app.press(Array(keys[start..<min(start + 15, keys.count)]))
    }
  }

  @Test func `The app restores its screen and its unsaved text after each kill`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let seed = Self.seed
      print("The app is killed with the keys of seed \(seed); KEEPSAKE_KILL_SEED gives another.")
      var random = SeededGenerator(seed: seed)
      var pressed: [String] = []
      // Keys that were pressed and not saved are pressed again: the address book may have them already.
      var lost: [String] = []
      let app = try ContactsInTerminal(directory.appendingPathComponent("killed"))
      // The reference gets the same keys and is never killed.
      let reference = try ContactsInTerminal(directory.appendingPathComponent("spared"))
      for each in [app, reference] { try each.screen(afterKeys: 0) }
      for round in 1...10 {
        let new = (0..<Int.random(in: 5...25, using: &random)).map { _ in
          Self.keys.randomElement(using: &random) ?? "Down"
        }
        let batch = lost + new
        try press(batch, in: app, after: pressed.count)
        // Reading the screen takes some time.
        var seen: ContactsInTerminal.Status?
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          seen = ContactsInTerminal.status(of: try app.screen()) ?? seen
        }
        try app.kill9()
        // Kills the app once more, in the middle of the launch.
        for _ in 0..<Int.random(in: 0...1, using: &random) {
          try app.start()
          try app.kill9()
        }
        try app.start()
        let screen = try app.screen { ContactsInTerminal.status(of: $0)?.isSaved == true }
        let count = try #require(ContactsInTerminal.status(of: screen)?.keyCount)
        let all = pressed + batch
        let place = "seed \(seed), round \(round), \(all.joined(separator: " "))"
        // The book has all keys that were shown as saved, and no keys that were never typed.
        let acknowledged = seen?.isSaved == true ? seen?.keyCount ?? 0 : pressed.count
        try #require(count >= acknowledged && count <= all.count, "\(count) keys, \(place)")
        lost = Array(all.dropFirst(count))
        try press(Array(all[pressed.count..<count]), in: reference, after: pressed.count)
        pressed = Array(all.prefix(count))
        let expected = interface(try reference.screen(afterKeys: count))
        let difference = interface(screen).difference(from: expected)
        #expect(interface(screen) == expected, "\(count) keys, \(place): \(difference)")
      }
    }
  }
}
