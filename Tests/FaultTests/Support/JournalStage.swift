import Foundation
import Keepsake
import Testing

/// A directory that has the journal of a case at the start of each run.
struct JournalStage {
  let scene: Scene
  let subject: JournalCase
  /// The entries at the start.
  let start: JournalFinding
  private let template: String

  /// Prepares the journal; `scene` may be on a file system of its own.
  init(_ subject: JournalCase, in scene: Scene? = nil) async throws {
    let scene = try scene ?? Scene()
    self.scene = scene
    self.subject = subject
    template = scene.root + "/template"
    try subject.prepare(template, key: scene.key)
    start = try await JournalFinding(
      template, key: scene.key, skippingDamage: subject.isDamaged)
    try #require(start.wrong.isEmpty)
  }

  var journal: String { scene.directory + "/journal" }

  func reset() throws {
    try FileManager.default.createDirectory(
      atPath: scene.directory, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: journal)
    if FileManager.default.fileExists(atPath: template) {
      try Command.succeed("cp", "-a", template, journal)
    }
  }

  /// The calls of a run without faults; `options` are further ones of strace.
  func calls(options: [String] = []) throws -> [SystemCall] {
    try reset()
    return try SystemCall.all(
      of: subject.operation, in: scene, resetting: false, options: options)
  }

  /// The calls at which faults are made: every one, or samples of them.
  static func sample<Call>(_ calls: [Call], of subject: JournalCase) -> [Call] {
    let turn = JournalCase.all.firstIndex { $0.testDescription == subject.testDescription }
    return FaultSettings.offsets(count: calls.count, of: turn).map { calls[$0] }
  }

  /// Checks the journal that a run left, and that the next writer continues; returns the outcome for the ledger.
  @discardableResult
  func check(_ command: Command, _ comment: String) async throws -> String {
    let report = try JournalReport(command.output)
    let keys = JournalKeys.key(scene.key)
    let directory = JournalDirectory(journal, with: keys)
    var pin: JournalPin?
    do {
      let found = try await read()
      let violations = report.violations(
        in: found, after: start, removes: subject.removesFiles)
      #expect(violations.isEmpty, "\(comment): \(violations)\n\(command.output)")
      if FileManager.default.fileExists(atPath: journal) {
        #expect(try JournalFinding.repeatedFrames(in: journal) == [], "\(comment)")
      }
      if !subject.isDamaged { pin = try directory.verify()?.pin }
      if !subject.isDamaged, !subject.removesFiles {
        for pin in report.pins {
          #expect(throws: Never.self, "\(comment)") { try directory.verify(expecting: pin) }
        }
      }
      try await expectThatTheNextWriterContinues(after: found, expecting: pin, comment)
      let isMore = found.entries.count > start.entries.count + report.acknowledged.count
      return (report.acknowledged.isEmpty ? "nothing" : "a part") + " acknowledged"
        + (report.hasReturned ? ", returned" : "") + (isMore ? ", and more there" : "")
    } catch {
      Issue.record("\(comment): \(error)\n\(command.output)")
      return "unreadable"
    }
  }

  private func read() async throws -> JournalFinding {
    try await JournalFinding(journal, key: scene.key, skippingDamage: subject.isDamaged)
  }

  private func expectThatTheNextWriterContinues(
    after found: JournalFinding, expecting pin: JournalPin?, _ comment: String
  ) async throws {
    let first = try appendInTwoFiles()
    let after = try await read()
    let expected =
      found.entries
      + [.init(number: first, seed: 250), .init(number: first + 1, seed: 251)]
    #expect(after.entries == expected && after.wrong.isEmpty, "\(comment)")
    if let last = found.entries.last { #expect(first > last.number, "\(comment)") }
    let directory = JournalDirectory(journal, with: .key(scene.key))
    if subject.isDamaged {
      let error = #expect(throws: JournalError.self, "\(comment)") { try directory.verify() }
      #expect(error?.code == .damaged, "\(comment)")
    } else {
      #expect(throws: Never.self, "\(comment)") { try directory.verify(expecting: pin) }
    }
    let strays = try FileManager.default.contentsOfDirectory(atPath: journal)
      .filter { $0.hasSuffix(".sealtmp") }
    #expect(strays == [], "\(comment)")
  }

  /// Appends an entry and, in a file of its own, another one; returns the number of the first one.
  private func appendInTwoFiles() throws -> UInt64 {
    let next = try Journal<[UInt8]>.open(at: journal, for: .key(scene.key), as: .bytes())
    let first = try next.append(JournalFinding.entry(250, 20))
    try next.rotate()
    try next.append(JournalFinding.entry(251, 20))
    try next.close()
    return first
  }
}
