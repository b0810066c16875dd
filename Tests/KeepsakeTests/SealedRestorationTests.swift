import Foundation
import Keepsake
import Testing

// These promises of a restore need the module Keepsake: rows 18, 33, 41 and 50; scenarios 8, 62 to 64 and 66.
@MainActor
@Suite struct `A sealed state` {
  private final class SecretPage: HeadlessViewController {
    override class var restorationTypeName: String { "SecretPage" }
    var secret = ""
    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(secret, forKey: "keyOfTheSecret")
    }
    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      secret = try coder.decode(forKey: "keyOfTheSecret")
    }
  }

  private final class App: RestorationDelegate {
    let window = HeadlessWindow()
    var calls: [String] = []
    var date: ArchiveDate?
    var restorationWindows: [any RestorationWindow] { [window] }

    init(secret: String? = nil) {
      guard let secret else { return }
      let page = SecretPage(restorationIdentifier: "identifierOfThePage")
      page.secret = secret
      window.rootController = page
    }

    var secret: String? { (window.rootController as? SecretPage)?.secret }

    func willFinishLaunching() { calls.append("willFinishLaunching") }
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }

    func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool {
      calls.append("shouldRestore")
      date = try coder.decode(forKey: .timestamp)
      return true
    }

    func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) -> (any RestorableNode)? {
      calls.append("make")
      return SecretPage()
    }

    func didFinishLaunching(_ report: RestoreReport) { calls.append("didFinishLaunching") }
  }

  private func coordinator(_ directory: TemporaryDirectory) throws -> RestorationCoordinator {
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1"))
    configuration.userInterfaceIdiom = 3
    return RestorationCoordinator(directory: directory.state, configuration: configuration)
  }

  private func save(_ secret: String, in directory: TemporaryDirectory) async throws -> Data {
    let coordinator = try coordinator(directory)
    await coordinator.prepare()
    _ = coordinator.restore(App())
    try await coordinator.save(App(secret: secret))
    return try Data(contentsOf: archive(directory))
  }

  private func archive(_ directory: TemporaryDirectory) -> URL {
    URL(filePath: directory.state.archivePath)
  }

  // Row 18, scenario 8.
  // The time is in UTC.
  @Test func `A sealed state has the time of its save`() async throws {
    try await TemporaryDirectory.with { directory in
      let before = Date.now.timeIntervalSinceReferenceDate
      _ = try await save("secret", in: directory)
      let after = Date.now.timeIntervalSinceReferenceDate
      let app = App()
      await (try coordinator(directory)).launch(app)
      let date = try #require(app.date)
      #expect((before...after).contains(date.secondsSinceReferenceDate))
    }
  }

  // Scenario 66.
  @Test func `A sealed state shows no name and no value, and each save writes other bytes`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let first = try await save("a secret of the user", in: directory)
      let second = try await save("a secret of the user", in: directory)
      #expect(first != second)
      for word in [
        "a secret of the user", "identifierOfThePage", "keyOfTheSecret", "SecretPage",
        "Keepsake.Index", "identifiers",
      ] {
        #expect(first.range(of: Data(word.utf8)) == nil, "\(word)")
        #expect(second.range(of: Data(word.utf8)) == nil, "\(word)")
      }
    }
  }

  // Scenario 63.
  @Test func `A state with a flipped bit is refused before the app is called`() async throws {
    try await TemporaryDirectory.with { directory in
      let sound = try await save("secret", in: directory)
      for position in stride(from: 0, to: sound.count, by: 29) {
        var flipped = sound
        flipped[position] ^= 1 << UInt8(position % 8)
        try flipped.write(to: archive(directory))
        let app = App()
        let report = await (try coordinator(directory)).launch(app)
        guard case .refused = report.outcome else {
          Issue.record("byte \(position): \(report)")
          continue
        }
        #expect(app.calls == ["willFinishLaunching", "didFinishLaunching"], "byte \(position)")
        #expect(app.window.rootController == nil)
      }
    }
  }

  // Scenario 64.
  // The file is cut at many lengths, and once it is empty.
  @Test func `A state that is cut short is refused, and never restored in part`() async throws {
    try await TemporaryDirectory.with { directory in
      let sound = try await save("secret", in: directory)
      for count in [0, 1, 15, 16] + Array(stride(from: 17, to: sound.count, by: 37)) {
        try sound.prefix(count).write(to: archive(directory))
        let app = App()
        let report = await (try coordinator(directory)).launch(app)
        guard case .refused = report.outcome else {
          Issue.record("\(count) bytes: \(report)")
          continue
        }
        #expect(app.calls == ["willFinishLaunching", "didFinishLaunching"])
      }
      try sound.write(to: archive(directory))
      let app = App()
      await (try coordinator(directory)).launch(app)
      #expect(app.secret == "secret")
    }
  }

  // Scenario 62.
  @Test func `A state whose key was erased cannot be opened with any later key`() async throws {
    try await TemporaryDirectory.with { directory in
      let kept = try await save("secret", in: directory)
      let coordinator = try coordinator(directory)
      await coordinator.prepare()
      _ = coordinator.restore(App())
      try await coordinator.discard()
      #expect(!FileManager.default.fileExists(atPath: archive(directory).path))
      try FileManager.default.removeItem(at: URL(filePath: directory.state.keyPath))
      _ = try await save("of the next user", in: directory)
      try kept.write(to: archive(directory))
      let app = App()
      let report = await (try self.coordinator(directory)).launch(app)
      guard case .refused = report.outcome else {
        Issue.record("\(report)")
        return
      }
      #expect(app.secret == nil)
    }
  }

  /// Makes the coordinator of a new launch in the way that is named.
  private func coordinator(
    _ way: String, limit: Int, _ directory: TemporaryDirectory
  ) async throws -> RestorationCoordinator {
    let version = try BundleVersion("1")
    switch way {
    case "directory":
      return RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(bundleVersion: version, failedLaunchLimit: limit))
    case "migration":
      return RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(
          migration: try MigrationPlan(programVersion: version, steps: []),
          failedLaunchLimit: limit))
    default:
      let session = try await directory.sessions.open(try SessionIdentifier("main"))
      return RestorationCoordinator(
        session: session,
        configuration: RestorationConfiguration(bundleVersion: version, failedLaunchLimit: limit))
    }
  }

  @Test(arguments: [0, 1, 2, 3], ["directory", "migration", "session"])
  func `A state is set aside when the number of launches that it ended reaches the limit`(
    limit: Int, way: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      do {
        let coordinator = try await coordinator(way, limit: limit, directory)
        await coordinator.prepare()
        _ = coordinator.restore(App())
        try await coordinator.save(App(secret: "secret"))
      }
      for _ in 0..<max(1, limit) {
        // The launch ends before it has restored anything.
        let coordinator = try await coordinator(way, limit: limit, directory)
        #expect(await coordinator.prepare() == nil)
      }
      let coordinator = try await coordinator(way, limit: limit, directory)
      guard case .interrupted(let message)? = await coordinator.prepare() else {
        Issue.record("not set aside")
        return
      }
      #expect(message.contains("state.keepsake.interrupted-1"))
    }
  }

  // Row 50.
  @Test func `A report is encoded as JSON`() async throws {
    try await TemporaryDirectory.with { directory in
      _ = try await save("secret", in: directory)
      let report = await (try coordinator(directory)).launch(App())
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
      let fields = try #require(json as? [String: Any])
      #expect(fields["outcome"] as? String == "restored")
      #expect(fields["seconds"] as? Double != nil)
      let objects = try #require(fields["objects"] as? [[String: Any]])
      #expect(objects.count == 1)
      #expect(objects[0]["path"] as? [String] == ["identifierOfThePage"])
      #expect(objects[0]["typeName"] as? String == "SecretPage")
      #expect(objects[0]["disposition"] as? String == "restored")
      #expect(objects[0]["source"] as? String == "delegate")
      #expect((objects[0]["byteCount"] as? Int).map { $0 > 0 } == true)

      try Data("none".utf8).write(to: archive(directory))
      let refused = await (try coordinator(directory)).launch(App())
      let text = String(decoding: try JSONEncoder().encode(refused), as: UTF8.self)
      #expect(text.contains("\"refused\""), "\(text)")
      #expect(text.contains("\"refusal\""), "\(text)")
    }
  }
}
