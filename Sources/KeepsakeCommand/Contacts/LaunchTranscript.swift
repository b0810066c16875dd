import ContactsModel
import Foundation
import Keepsake

/// The result of one launch of the contacts app, as text for a person or as JSON for the demo.
struct LaunchTranscript: Codable, Equatable {
  /// True when a saved state was restored.
  var restored: Bool
  var report: String
  /// The reason why a saved state was refused; nil when none was.
  var refusal: String?
  /// The report of the save, if there was one.
  var saved: String?
  /// The interface, line by line.
  var interface: [String] = []
  var selectedRows: [Int] = []

  @MainActor
  init(_ report: RestoreReport, of app: ContactsApp) {
    restored = report.outcome == .restored
    self.report = report.description
    if case .refused(let refusal) = report.outcome { self.refusal = refusal.description }
    describe(app)
  }

  /// Records the interface as it is now.
  @MainActor
  mutating func describe(_ app: ContactsApp) {
    interface = app.interfaceDescription
    selectedRows = app.allContacts.table.selectedIndexPaths.map(\.row)
  }

  func print(asJSON: Bool) throws {
    var lines: [String]
    if asJSON {
      lines = [String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
    } else {
      lines = [report, "", "The interface:"] + interface.map { "  " + $0.displayed }
      if let saved { lines += ["", saved] }
    }
    lines.append("")
    // All lines are written at once and unbuffered: the reader may kill this process after the last one.
    FileHandle.standardOutput.write(Data(lines.joined(separator: "\n").utf8))
  }
}
