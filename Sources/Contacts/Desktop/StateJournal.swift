import Foundation
import GTKRestoration
import Keepsake

/// Records what the widgets show at each save, line by line, for a test that kills the app and compares.
///
/// For each line of input it also records what they show then.
@MainActor
final class StateJournal {
  struct Line: Codable {
    /// The event: `encoded`, `saved`, `overtaken`, `failed`, `restored` or `shown`.
    let event: String
    let session: String
    /// The number of the window's save in this process.
    let number: Int
    var isSettled: Bool?
    /// The states of the widgets, by the titles of their windows.
    var windows: [String: [WidgetState]]?
  }

  private let file: FileHandle
  private var windows: [WindowJournal] = []

  init(path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(filePath: path))
    }
    file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    FileHandle.standardInput.readabilityHandler = { input in
      if input.availableData.isEmpty { input.readabilityHandler = nil }
      Task { @MainActor [weak self] in
        for window in self?.windows ?? [] { window.noteShown() }
      }
    }
  }

  func add(_ window: WindowJournal) { windows.append(window) }

  func remove(_ window: WindowJournal) { windows.removeAll { $0 === window } }

  func write(_ line: Line) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let bytes = try? encoder.encode(line) else { return }
    try? file.write(contentsOf: bytes + Data("\n".utf8))
  }
}

/// The part of the journal that one window writes.
@MainActor
final class WindowJournal {
  private let journal: StateJournal
  private unowned let window: ContactsWindow
  private var number = 0
  /// The saves that were encoded and have no result yet, the oldest first.
  private var pending: [Int] = []

  init(_ journal: StateJournal, of window: ContactsWindow) {
    self.journal = journal
    self.window = window
    journal.add(self)
  }

  func end() { journal.remove(self) }

  func noteShown() { write("shown", number, withWindows: true) }

  /// Records the state that is about to be encoded.
  func noteEncoding() {
    number += 1
    pending.append(number)
    write("encoded", number, withWindows: true)
  }

  /// Records the result of a save.
  func note(_ event: SaveEvent) {
    switch event {
    case .saved: if !pending.isEmpty { write("saved", pending.removeFirst()) }
    case .overtaken:
      // The newest save is encoded by now, and has overtaken the previous one.
      if pending.count > 1 { write("overtaken", pending.remove(at: pending.count - 2)) }
    case .failed: if !pending.isEmpty { write("failed", pending.removeFirst()) }
    }
  }

  /// Records the restored state, once everything was laid out.
  func noteRestored() {
    Task {
      var steadyCount = 0
      while steadyCount < 5 {
        try await Task.sleep(for: .milliseconds(20))
        let isSteady = window.isSettled && window.visibleWindows.allSatisfy(\.isMapped)
        steadyCount = isSteady ? steadyCount + 1 : 0
      }
      write("restored", 0, withWindows: true)
    }
  }

  private func write(_ event: String, _ number: Int, withWindows: Bool = false) {
    var line = StateJournal.Line(event: event, session: window.sessionName, number: number)
    if withWindows {
      line.isSettled = window.isSettled
      line.windows = Dictionary(
        window.visibleWindows.map { ($0.title, $0.widgetStates) },
        uniquingKeysWith: { first, _ in first })
    }
    journal.write(line)
  }
}
