import Foundation
import Testing

/// The contacts app in a terminal.
final class ContactsInTerminal: ProgramInTerminal {
  /// Starts the app; its directory may be shared with others.
  init(
    _ directory: URL, width: Int = 80, height: Int = 24, thenShell: String? = nil,
    environment: String = ""
  ) throws {
    let path = try Tool.executable("contacts").path
    let start = "env \(environment) '\(path)' --directory '\(directory.path)'"
    try super.init(
      ["sh", "-c", thenShell.map { start + "; " + $0 } ?? "exec " + start], width: width,
      height: height)
  }

  /// The screen when this number of keys, in all launches together, is handled and saved.
  @discardableResult
  func screen(afterKeys count: Int) throws -> [String] {
    try screen { Self.status(of: $0) == Status(keyCount: count, isSaved: true) }
  }

  struct Status: Equatable {
    let keyCount: Int
    let isSaved: Bool
  }

  /// The status in the last line; nil when the app has not drawn yet.
  static func status(of screen: [String]) -> Status? {
    guard
      let match = screen.last(where: { !$0.isEmpty })?
        .firstMatch(of: /^ (\d+) keys? typed, (saved|saving)\b/), let count = Int(match.output.1)
    else { return nil }
    return Status(keyCount: count, isSaved: match.output.2 == "saved")
  }
}
