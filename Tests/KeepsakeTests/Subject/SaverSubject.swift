internal import Dispatch
internal import Foundation
internal import Keepsake
internal import KeepsakeTesting

/// A program that has saved the state 1 when it says "ready", and has the state 2 in memory, marked and not saved.
///
/// Its second argument says whether it then ends, or waits to be ended.
///
/// Arguments that begin with "launch" are for ``LaunchSubject``, and with "update" for ``ValueSubject``.
@main @MainActor struct SaverSubject {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(64) }
    if arguments[2].hasPrefix("launch ") {
      return try await LaunchSubject.run(arguments[1], arguments[2])
    }
    if arguments[2].hasPrefix("update") { return try ValueSubject.run(arguments[1], arguments[2]) }
    var app = SubjectApp()
    let session = try await session(arguments)
    let coordinator = coordinator(arguments[1], session, try BundleVersion("1"))
    await coordinator.launch(app)
    // The clock never advances, so no interval ends.
    let saver = StateSaver(coordinator, of: app, clock: ManualClock()) { event in
      if case .failed(let error) = event { say("failed \(error)") }
    }
    if arguments[2] == "first launch" { return try changeAtOnce(app, saver) }
    app.number = 1
    try await saver.save()
    if arguments[2] == "handle" { signal(SIGTERM) { _ in _exit(9) } }
    if arguments[2] == "late" { return sayWhetherRefused(saver) }
    try saver.saveAtExit(within: arguments[2] == "block" ? .milliseconds(100) : .seconds(60))
    if arguments[2] == "return beside another" { try await endAnother(arguments[1] + "-other") }
    app.number = 2
    saver.markDirty()
    // From here on, only the promise to save the app keeps it alive.
    weak let former = app
    app = SubjectApp()
    say("ready")
    try await end(arguments[2], saver) { former == nil }
  }

  /// Sets a saved property that no save has found, and returns without a turn of the main actor.
  private static func changeAtOnce(_ app: SubjectApp, _ saver: StateSaver) throws {
    try saver.saveAtExit(within: .seconds(60))
    app.number = 2
    app.page.visits += 1
    say("ready")
  }

  /// Promises to save another app at the end, and then ends its saver.
  private static func endAnother(_ path: String) async throws {
    let app = SubjectApp()
    let coordinator = coordinator(path, nil, try BundleVersion("1"))
    await coordinator.launch(app)
    let saver = StateSaver(coordinator, of: app, clock: ManualClock())
    try saver.saveAtExit(within: .seconds(60))
    try await saver.shutDown()
  }

  /// Waits for the test, then requests a save at the end.
  private static func sayWhetherRefused(_ saver: StateSaver) {
    say("ready")
    _ = readLine()
    do {
      try saver.saveAtExit()
      say("promised")
    } catch {
      say("refused \(error.code.rawValue)")
    }
  }

  private static func end(
    _ mode: String, _ saver: StateSaver, isReleased: () -> Bool
  ) async throws {
    switch mode {
    case "return", "return beside another": return
    case "return when told": _ = readLine()
    case "exit": exit(7)
    case "exit elsewhere":
      DispatchQueue.global().async { exit(7) }
      await echo()
    case "shut down":
      try await saver.shutDown()
      say(isReleased() ? "released" : "kept")
      await echo()
    case "block": while true { pause() }
    default: await echo()
    }
  }

  /// Answers each line of the test, and never ends.
  private static func echo() async {
    let lines = AsyncStream<String> { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
      }
    }
    for await line in lines { say(line) }
  }

  /// The session that the state is saved in, or nil without one, after the calls that the mode names.
  private static func session(_ arguments: [String]) async throws -> StateSession? {
    guard arguments[2].hasPrefix("session") else { return nil }
    let session = try await StateSessions(in: StateDirectory(path: arguments[1])).resume()
    if arguments[2] == "session quit" { try await session.end(.userQuit) }
    if arguments[2] == "session background" { try await session.enterBackground() }
    return session
  }

  private static func coordinator(
    _ path: String, _ session: StateSession?, _ version: BundleVersion
  ) -> RestorationCoordinator {
    let configuration = RestorationConfiguration(bundleVersion: version)
    if let session { return RestorationCoordinator(session: session, configuration: configuration) }
    return RestorationCoordinator(
      directory: StateDirectory(path: path), configuration: configuration)
  }

  /// Writes a line in one system call.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// A page with a saved property.
final class SubjectPage: HeadlessViewController {
  @Saved var visits = 0
}

/// An app whose state is a number, and a page.
@MainActor
final class SubjectApp: RestorationDelegate {
  let window = HeadlessWindow()
  let page = SubjectPage(restorationIdentifier: "Page")
  var number = 0

  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() { window.rootController = page }
  func didFinishLaunching(_ report: RestoreReport) {}
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool {
    coder.encode(number, forKey: "number")
    return true
  }
}
