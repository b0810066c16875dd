import Foundation
import Keepsake
import NIOHTTP1
import Testing

@testable import KeepsakeRemote

@Suite(.enabled(if: Servers.radosgw != nil)) struct `Many states in one bucket` {
  /// The number of states: KEEPSAKE_STATES, or a few.
  private static let stateCount =
    Servers.environment["KEEPSAKE_STATES"].flatMap { Int($0) } ?? 40

  @Test func `A recipient of many states is replaced, and each state is moved twice`() async throws
  {
    let bucket = try Servers.store()
    let prefix = Servers.freshKey("users/")
    let (mine, former, next) = (
      try X25519Identity.generate(), try X25519Identity.generate(), try X25519Identity.generate()
    )
    let archive = Samples.noise(of: 4, count: 2_000)
    var stored = 0
    for number in 0..<Self.stateCount {
      let bytes = try SealedFile.seal(
        archive.span, for: [.x25519(mine.recipient), .x25519(former.recipient)],
        options: SealOptions(padding: .padme))
      stored += bytes.count
      try await bucket.object("\(prefix)\(number)/state.keepsake").put(bytes)
    }
    try await bucket.object("\(prefix)readme").put(Array("no state".utf8))

    let result = try await replace(
      former.recipient, by: next.recipient, inStatesBelow: prefix, of: bucket, opening: mine)
    #expect(result.failed == ["\(prefix)readme"])
    // The headers before and after have the same length.
    #expect(result.movedByteCount == 2 * stored)
    if Servers.environment["KEEPSAKE_STATES"] != nil {
      print(
        "\(Self.stateCount) states of \(stored) bytes: \(result.movedByteCount) bytes were moved.")
    }
    let last = try await bucket.object("\(prefix)\(Self.stateCount - 1)/state.keepsake").content()
    #expect(try SealedFile.open(bytes: last, with: [.x25519(next)]).read() == archive)
    #expect(try SealedFile.open(bytes: last, with: [.x25519(mine)]).read() == archive)
    let refusal = #expect(throws: SealError.self) {
      try SealedFile.open(bytes: last, with: [.x25519(former)])
    }
    #expect(refusal?.code == .noMatchingKey)
  }

  @Test func `A machine continues with a state that was given another recipient`() async throws {
    try await withFolder { folder in
      let (mine, next) = (try X25519Identity.generate(), try X25519Identity.generate())
      let key = Servers.freshKey("state.keepsake")
      func launch(_ machine: Int, _ identity: X25519Identity) throws -> RemoteStateStore {
        try RemoteStateStore(
          directory: StateDirectory(path: "\(folder)/\(machine)", application: "notes"),
          in: Servers.store(), key: key,
          for: [.x25519(mine.recipient), .x25519(next.recipient)],
          identities: [.x25519(identity)])
      }
      do {
        let first = try RemoteStateStore(
          directory: StateDirectory(path: folder + "/0", application: "notes"),
          in: Servers.store(), key: key, for: [.x25519(mine.recipient)],
          identities: [.x25519(mine)])
        _ = try await first.load()
        try await first.save([1], previous: .replace)
      }
      let object = try Servers.store().object(key)
      let rewrapping = try await object.rewrap(
        with: [.x25519(mine)], adding: [.x25519(next.recipient)])
      #expect(rewrapping.report.keptSlots == [0])
      guard case .archive([1], _) = try await launch(1, next).load() else {
        Issue.record("The new machine does not open the state.")
        return
      }
      let again = try launch(0, mine)
      guard case .archive([1], _) = try await again.load() else {
        Issue.record("The first machine does not open the state.")
        return
      }
      try await again.save([2], previous: .replace)
      #expect(again.status.isCurrent)
      try await object.delete()
    }
  }

  @Test func `The store copies the content of a large object whose recipients change`() async throws
  {
    let (mine, next) = (try SealKey.generate(), try SealKey.generate())
    let plaintext = Samples.noise(of: 6, count: 20 << 20)
    let object = try Servers.store().object(Servers.freshKey("a b/ü"))
    try await object.put(Samples.sealed(plaintext, for: mine))
    let rewrapping = try await object.rewrap(
      with: [.key(mine)], adding: [.key(next)], writers: .one)
    #expect(rewrapping.sentByteCount < 6 << 20 && rewrapping.receivedByteCount < 12 << 20)
    #expect(try await object.version() == rewrapping.version)
    for key in [mine, next] {
      let content = try await object.content()
      #expect(try SealedFile.open(bytes: content, with: [.key(key)]).read() == plaintext)
    }
    // Another writer's version is compared before the object is made.
    let source = try await RemoteSource.open(object)
    try await object.put(Samples.sealed([2], for: mine))
    let failure = await remoteError {
      _ = try await source.perform { source in
        try object.replaceBeginning(
          by: Array(plaintext[..<(5 << 20)]), keeping: 0..<10, of: source.version)
      }
    }
    #expect(failure?.code == .changedMeanwhile)
    #expect(try await object.content().count < 1 << 20)
    #expect(try Servers.openUploadCount(of: object) == 0)
    try await object.delete()
  }

  @Test
  func `An object keeps the bytes that another writer has written in the meantime`() async throws {
    let (mine, next) = (try SealKey.generate(), try SealKey.generate())
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put(Samples.sealed([1], for: mine))
    let wrong = await #expect(throws: SealError.self) {
      try await object.rewrap(with: [.key(next)], adding: [.key(mine)])
    }
    #expect(wrong?.code == .noMatchingKey)
    let absent = try Servers.store().object(Servers.freshKey())
    #expect(
      await remoteError { try await absent.rewrap(with: [.key(mine)]) }?.code == .absent)
    // A rewrap of one version does not replace another one.
    let source = try await RemoteSource.open(object)
    let other = try Samples.sealed([2], for: mine)
    try await object.put(other)
    let failure = await remoteError {
      try await object.put([3], if: .version(source.version))
    }
    #expect(failure?.code == .changedMeanwhile)
    #expect(try await object.content() == other)
    try await object.delete()
  }

  @Test func `A store accepts the rule of the article on expiry`() async throws {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/")
    let article = try String(
      contentsOfFile: root + "/Sources/Keepsake/Keepsake.docc/StateInAnObjectStore.md",
      encoding: .utf8)
    let start = try #require(article.range(of: "```xml\n")).upperBound
    let rule = try #require(article[start...].components(separatedBy: "\n```").first)
    let store = try ObjectStore(
      bucket: "keepsake-expiry", at: #require(Servers.radosgw), credentials: Servers.credentials())
    let bucket = store.request(.PUT, key: "")
    _ = try store.send(bucket, key: "", cancellation: Cancellation())
    let query = [("lifecycle", "")]
    var request = store.request(.PUT, key: "", query: query)
    request.body = Array(rule.utf8)
    request.headers.append(("Content-MD5", try digest(of: rule)))
    let answer = try store.send(request, key: "", query: query, cancellation: Cancellation())
    #expect(answer.isSuccess, "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    let kept = try store.send(
      store.request(.GET, key: "", query: query), key: "", query: query,
      cancellation: Cancellation())
    let element = try #require(AnswerElement(parsing: kept.body))
    let rules = element.children.filter { $0.name == "Rule" }
    #expect(rules.count == 1 && rules.first?["Status"] == "Enabled")
  }

  /// The digest that stores require of a lifecycle; Foundation has none.
  private func digest(of text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import base64, hashlib, sys; print(base64.b64encode(hashlib.md5(sys.argv[1].encode()).digest()).decode(), end='')",
      text,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
