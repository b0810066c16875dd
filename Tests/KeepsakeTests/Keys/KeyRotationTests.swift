import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Keepsake

@MainActor
@Suite struct `Exchanging the key of a key file` {
  /// Counts steps, and fails at the one with a number.
  private final class Steps: Sendable {
    private let left: Mutex<Int>
    let count = Mutex(0)

    init(failingAt number: Int) { left = Mutex(number) }

    func take() throws(KeepsakeError) {
      count.withLock { $0 += 1 }
      let isOver = left.withLock { left in
        left -= 1
        return left == -1
      }
      if isOver { throw KeepsakeError(.storeUnavailable, "The process died here.") }
    }
  }

  private func opens(_ path: String, with key: SealKey) throws -> Bool {
    do throws(SealError) {
      _ = try SealedFile.open(
        path, with: [.key(key)], context: SealedFile.inspect(path).statedContext)
      return true
    } catch {
      guard error.code == .noMatchingKey else { throw error }
      return false
    }
  }

  @Test
  func `A rotation continues after any interruption, and the key file always opens all files`()
    async throws
  {
    var number = 0
    var isComplete = false
    while !isComplete {
      try await TemporaryDirectory.with { directory in
        let state = SealedStateStore(directory: directory.state)
        try await state.save([1, 2, 3], previous: .replace)
        await state.suspend()
        let (keyPath, value) = (directory.state.keyPath, directory.state.path + "/value")
        let recovery = try X25519Identity.generate()
        let key = SealedValueKey.recipients([
          .key(try SealKey.read(at: keyPath)), .x25519(recovery.recipient),
        ])
        try await SealedValue.save(["a": 1], to: value, for: key)
        let old = try SealKey.read(at: keyPath)
        let files = [directory.state.archivePath, value, directory.state.path + "/absent"]
        var first = KeyRotation(keyPath: keyPath, files: [files[2], files[0]])
        let steps = Steps(failingAt: number)
        first.willTakeStep = { () throws(KeepsakeError) in try steps.take() }
        do {
          try first.run()
          isComplete = true
        } catch {
          #expect((error as? KeepsakeError)?.message.contains("The process died here.") == true)
          // A rotation that ends before its first change leaves nothing to finish.
          #expect(try first.isUnfinished() == (number > 0))
          #expect(try opens(files[0], with: SealKey.read(at: keyPath)))
          #expect(try await state.load() == .archive([1, 2, 3], failedLaunchCount: 0))
          await state.suspend()
        }
        let new = try KeyRotation(keyPath: keyPath, files: [files[0]]).run()
        #expect(try opens(files[0], with: new) && !opens(files[0], with: old))
        #expect(try SealKey.read(at: keyPath).isEqual(to: new) && !new.isEqual(to: old))
        #expect(try SealedFile.inspect(files[0]).slotTypes == [.rawKey])
        #expect(try !first.isUnfinished())
        #expect(try directory.names() == ["key", "state.keepsake", "value"])
        #expect(try await state.load() == .archive([1, 2, 3], failedLaunchCount: 0))
        // A value with a slot that was not named is left as it is, and so is the key file.
        try SealKey.replace(at: keyPath, with: old)
        let before = try directory.contents(value)
        let refused = keepsakeError { try KeyRotation(keyPath: keyPath, files: [value]).run() }
        #expect(refused?.code == .slotWouldBeLost)
        #expect(try directory.contents(value) == before)
        #expect(try SealKey.read(at: keyPath).isEqual(to: old))
        let rotated = try KeyRotation(
          keyPath: keyPath, files: [value], otherRecipients: [.x25519(recovery.recipient)]
        ).run()
        #expect(try opens(value, with: rotated) && !opens(value, with: old))
        let restored = try await SealedValue.load(
          [String: Int].self, from: value,
          with: .recipients([], identities: [.x25519(recovery)]))
        #expect(restored == ["a": 1])
      }
      number += 1
    }
    // The steps are: next key, both slots, second name, key file, one slot, old key, next key.
    #expect(number == 8)
  }

  #if os(Linux)
    @Test func `A rotation without disk space leaves everything usable, and continues later`() async
    {
      await #expect(processExitsWith: .success) {
        try withTemporaryDirectory { directory in
          let (keyPath, path) = (directory + "/key", directory + "/value")
          let old = try SealKey.create(at: keyPath)
          let content = [UInt8](repeating: 7, count: 100_000)
          try SealedFile.seal(content.span, to: path, for: [.key(old)])
          let before = try Data(contentsOf: URL(fileURLWithPath: path))
          let rotation = KeyRotation(keyPath: keyPath, files: [path])
          // The limit is 50,000 bytes per file: the key fits, the value does not.
          signal(SIGXFSZ, SIG_IGN)
          try limitFiles(to: "50000:unlimited")
          for _ in 0..<2 {
            #expect(keepsakeError { try rotation.run() }?.code == .storeUnavailable)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(try SealKey.read(at: keyPath).isEqual(to: old))
            #expect(try rotation.isUnfinished())
            #expect(try directoryNames(directory) == ["key", "key.next", "value"])
          }
          try limitFiles(to: "unlimited")
          let new = try rotation.run()
          #expect(try SealedFile.open(path, with: [.key(new)]).read() == content)
          #expect(try SealKey.read(at: keyPath).isEqual(to: new))
          #expect(try directoryNames(directory) == ["key", "value"])
        }
      }
    }
  #endif

  @Test
  func `A rotation refuses an old key that is not from its own steps, and a damaged key`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      func rotate() -> KeepsakeError.Code? {
        keepsakeError { try KeyRotation(keyPath: path, files: []).run() }?.code
      }
      #expect(rotate() == .keyAbsent)
      let key = try SealKey.create(at: path)
      _ = try SealKey.create(at: path + ".old")
      #expect(rotate() == .storeUnavailable)
      #expect(try SealKey.read(at: path).isEqual(to: key))
      try FileManager.default.removeItem(atPath: path + ".old")
      #expect(rotate() == nil)
      #expect(try directoryNames(directory) == ["key"])
      try Data([1]).write(to: URL(fileURLWithPath: path))
      #expect(rotate() == .keyDamaged)
      #expect(try directoryNames(directory) == ["key"])
    }
  }
}

#if os(Linux)
  /// Limits how large the files of this process may become, in bytes.
  private func limitFiles(to limit: String) throws {
    let change = Process()
    change.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    change.arguments = [
      "--pid", "\(ProcessInfo.processInfo.processIdentifier)", "--fsize=\(limit)",
    ]
    try change.run()
    change.waitUntilExit()
    try #require(change.terminationStatus == 0)
  }
#endif
