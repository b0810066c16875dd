import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

/// Two writers replace one file at once: an acknowledged save is never lost.
@Suite struct `A file that two writers replace at once` {
  /// The state that both writers share.
  private final class Progress: Sendable {
    let isDone = Atomic(false)
    let lostCount = Atomic(0)
    let changeCount = Atomic(0)
  }

  // Reproduces a defect: `rewrap` compared the file, synchronised, and then renamed over a newer save.
  @Test(arguments: [false, true])
  func `Every acknowledged save survives a change of slots at the same time`(
    resealing: Bool
  ) async throws {
    let directory =
      FileManager.default.temporaryDirectory.path + "/keepsake-race-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/state"
    let (key, other) = (try SealKey.generate(), try SealKey.generate())
    try SealedFile.seal([0].span, to: path, for: [.key(key)])
    let progress = Progress()
    await withTaskGroup { group in
      group.addTask {
        while !progress.isDone.load(ordering: .relaxed) {
          do throws(SealError) {
            if resealing {
              try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)])
            } else {
              try SealedFile.rewrap(
                path, with: [.key(key)], adding: [.key(key), .key(other)],
                removing: [.recipient(.key(key))], keepsUnnamedSlots: true)
            }
            progress.changeCount.add(1, ordering: .relaxed)
          } catch {
            // The slot exists already, or the save was faster.
            #expect([.changedMeanwhile, .invalidKeys].contains(error.code), "\(error)")
          }
        }
      }
      group.addTask {
        for generation in 1...300 as ClosedRange<UInt64> {
          do {
            try SealedFile.seal(
              [1].span, to: path, for: [.key(key)], options: SealOptions(generation: generation))
            let found = try SealedFile.open(path, with: [.key(key)])
            if found.generation != generation { progress.lostCount.add(1, ordering: .relaxed) }
          } catch {
            Issue.record(error)
          }
        }
        progress.isDone.store(true, ordering: .relaxed)
      }
    }
    #expect(progress.lostCount.load(ordering: .relaxed) == 0, "acknowledged saves were lost")
    #expect(progress.changeCount.load(ordering: .relaxed) > 0, "no change of slots succeeded")
    #expect(try names(in: directory) == ["state"])
  }

  @Test func `A new key survives a change of the old key's passphrase at the same time`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let (old, new) = (try passphrase("old"), try passphrase("new"))
      for round in 0..<20 {
        _ = try SealKey.create(at: path, passphrase: old, cost: .cheap)
        let changing = Thread {
          try? SealKey.changePassphrase(at: path, from: old, to: new, cost: .cheap)
        }
        changing.start()
        // A reset sets the key aside and makes another one.
        try DurableFile.move(from: path, to: directory + "/aside-\(round)")
        let key = try SealKey.create(at: path, passphrase: old, cost: .cheap)
        while !changing.isFinished { usleep(100) }
        // The thread was too late, or found the new key.
        let read =
          try (try? SealKey.read(at: path, passphrase: old))
          ?? SealKey.read(at: path, passphrase: new)
        #expect(read.isEqual(to: key))
        try DurableFile.remove(at: path)
      }
    }
  }

  // The race above rarely hits the moment between the reading and the renaming; here a lock extends it.
  @Test func `A change of the passphrase leaves a key that replaced the old one`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let (old, new) = (try passphrase("old"), try passphrase("new"))
      _ = try SealKey.create(at: path, passphrase: old, cost: .cheap)
      let newest = try SealKey.create(at: directory + "/other", passphrase: old, cost: .cheap)
      let location = try FileLocation(path)
      let opened = try location.openDirectory()
      let failure = Mutex<SealError?>(nil)
      let change = DispatchGroup()
      do {
        // The change waits for this lock once it has read the old file and written the new one.
        let lock = try LockedTarget(location, in: opened)
        DispatchQueue.global().async(group: change) {
          do throws(SealError) {
            try SealKey.changePassphrase(at: path, from: old, to: new, cost: .cheap)
          } catch {
            failure.withLock { $0 = error }
          }
        }
        while try !names(in: directory).contains(where: TemporaryName.matches),
          change.wait(timeout: .now()) == .timedOut
        { sched_yield() }
        try opened.replace("key", with: "other")
        withExtendedLifetime(lock) {}
      }
      change.wait()
      #expect(failure.withLock { $0 } == SealError(.changedMeanwhile, path: path))
      #expect(try SealKey.read(at: path, passphrase: old).isEqual(to: newest))
    }
  }
}
