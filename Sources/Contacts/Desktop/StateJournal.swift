import Foundation
import GTKRestoration
import Keepsake

/// What the widgets showed at each save, line by line, for a test that kills the app and compares.
///
/// For each line that the app reads it writes down what they show then.
@MainActor
final class StateJournal {
  struct Line: Codable {
    /// What happened: `encoded`, `saved`, `overtaken`, `failed`, `restored` or `shown`.
    let event: String
    let session: String
    /// Which save of the window in this process it is about.
    let number: Int
    var isSettled: Bool?
    /// By the titles of the windows.
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
  /// The saves that were encoded and not heard of since, the oldest first.
  private var pending: [Int] = []

  init(_ journal: StateJournal, of window: ContactsWindow) {
    self.journal = journal
    self.window = window
    journal.add(self)
  }

  func end() { journal.remove(self) }

  func noteShown() { write("shown", number, withWindows: true) }

  /// Writes down what is about to be encoded.
  func noteEncoding() {
    number += 1
    pending.append(number)
    write("encoded", number, withWindows: true)
  }

  /// Writes down what became of a save.
  func note(_ event: SaveEvent) {
    switch event {
    case .saved: if !pending.isEmpty { write("saved", pending.removeFirst()) }
    case .overtaken:
      // The newest one was encoded by now, and has overtaken the one before it.
      if pending.count > 1 { write("overtaken", pending.remove(at: pending.count - 2)) }
    case .failed: if !pending.isEmpty { write("failed", pending.removeFirst()) }
    }
  }

  /// Writes down what a launch has brought back, once everything was laid out.
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
