internal import Foundation
internal import Keepsake

/// A program that launches, prints the outcome of its restore, and ends during the launch when a state was restored.
///
/// In "launch WHERE HOW", WHERE is `finish` to end within `didFinishLaunching`, `frame` to end after a save and before
/// the first frame, and `later` to end after the first frame.
///
/// "launch windows open" opens three windows, saves a text in each, and brings the first one to the front. "launch
/// windows resume" prints the texts of the windows that come back, from back to front. Both then wait to be ended.
///
/// "launch stores exit" begins the restores of three states, ends that of the second one, prints the number of marks, and
/// exits.
@MainActor
enum LaunchSubject {
  static func run(_ path: String, _ mode: String) async throws {
    if mode.hasPrefix("launch windows ") { return try await runWindows(path, mode) }
    if mode.hasPrefix("launch stores ") { return try await runStores(path) }
    let (place, end) = parts(of: mode)
    let app = LaunchApp()
    app.onFinish = { report in
      say(text(of: report.outcome))
      if report.outcome == .restored, place == "finish" { finish(end) }
    }
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1"))
    configuration.awaitsFirstFrame = place == "frame"
    let session =
      mode.hasSuffix("session")
      ? try await StateSessions(in: StateDirectory(path: path)).resume() : nil
    let coordinator =
      session.map { RestorationCoordinator(session: $0, configuration: configuration) }
      ?? RestorationCoordinator(
        directory: StateDirectory(path: path), configuration: configuration)
    let report = await coordinator.launch(app)
    try await coordinator.save(app)
    if report.outcome == .restored, place == "frame" {
      say("saved")
      finish(end)
    }
    coordinator.didDrawFirstFrame()
    if report.outcome == .restored, place == "later" { finish(end) }
  }

  private static func runWindows(_ path: String, _ mode: String) async throws {
    let sessions = StateSessions(in: StateDirectory(path: path))
    var windows: [StateSession] = []
    if mode.hasSuffix(" open") {
      for text in ["one", "two", "three"] {
        let window = try await sessions.open()
        try await window.save(Array(text.utf8), previous: .replace)
        windows.append(window)
      }
      try await windows[0].bringToFront()
    } else {
      windows = try await sessions.resumeAll()
      var texts: [String] = []
      for window in windows {
        guard case .archive(let bytes, _) = try await window.load() else { continue }
        texts.append(String(decoding: bytes, as: UTF8.self))
      }
      say(texts.joined(separator: " "))
    }
    finish("wait")
    withExtendedLifetime(windows) {}
  }

  private static func runStores(_ path: String) async throws {
    let directories = (1...3).map { StateDirectory(path: "\(path)/\($0)") }
    let stores = directories.map { SealedStateStore(directory: $0) }
    for store in stores {
      try await store.save([1], previous: .replace)
      try store.beginRestoration(attempt: 1)
    }
    try stores[1].endRestoration()
    let files = FileManager.default
    let count = directories.count { files.fileExists(atPath: $0.restorationMarkPath) }
    say("marks \(count)")
    finish("exit")
    withExtendedLifetime(stores) {}
  }

  private static func parts(of mode: String) -> (place: String, end: String) {
    let parts = mode.split(separator: " ").map(String.init)
    return parts.count < 3 ? ("", "") : (parts[1], parts[2])
  }

  private static func text(of outcome: RestoreReport.Outcome) -> String {
    switch outcome {
    case .restored: "restored"
    case .nothingSaved: "nothing saved"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }

  private static func finish(_ end: String) {
    switch end {
    case "kill": kill(getpid(), SIGKILL)
    case "abort": abort()
    case "exit": exit(7)
    case "return": return
    case "elsewhere":
      DispatchQueue.global().async { exit(7) }
      while true { pause() }
    default:
      say("waiting")
      while true { pause() }
    }
  }

  /// Writes a line in one system call.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// An app with one page that runs `onFinish` at the end of its launch.
@MainActor
private final class LaunchApp: RestorationDelegate {
  let window = HeadlessWindow()
  var onFinish: (RestoreReport) -> Void = { _ in }
  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() {
    window.rootController = HeadlessViewController(restorationIdentifier: "Page")
  }

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) { onFinish(report) }
}
