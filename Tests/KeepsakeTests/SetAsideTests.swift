import Foundation
import Testing

@testable import Keepsake

// Spec/state.md, section 1, rule 9.
@MainActor
@Suite struct `Files that were set aside` {
  private func write(_ names: [String], _ directory: TemporaryDirectory) throws {
    for name in names {
      try directory.write(Data(repeating: 1, count: 48), to: directory.state.path + "/" + name)
    }
  }

  @Test(arguments: [7, 8, 9, 12])
  func `A save keeps the newest set-aside archives, up to the limit`(count: Int) async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      let reasons = ["damaged", "interrupted", "set-aside", "refused"]
      let names = (1...count).map { "state.keepsake.\(reasons[$0 % 4])-\($0)" }
      try write(names, directory)
      let foreign = ["key.pem-1", "notes.damaged-1", "state.keepsake.bak"]
      try write(foreign, directory)
      try await SealedStateStore(directory: directory.state).save([2], previous: .replace)
      let kept = names.suffix(8)
      #expect(try directory.names() == (["key", "state.keepsake"] + foreign + kept).sorted())
    }
  }

  @Test func `A store counts again after each archive that it sets aside`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      for byte: UInt8 in 2...11 { try await store.save([byte], previous: .setAside) }
      let kept = (3...10).map { "state.keepsake.damaged-\($0)" }
      #expect(try directory.names() == (["key", "state.keepsake"] + kept).sorted())
    }
  }

  @Test func `A set-aside archive stays until something newer is saved`() async throws {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let names = (1...12).map { "state.keepsake.damaged-\($0)" }
      try write(names, directory)
      let store = SealedStateStore(directory: directory.state)
      _ = try await store.load()
      #expect(try await store.setAside().hasSuffix("interrupted-13"))
      #expect(try directory.names().count == 14)
      try await store.remove()
      try await store.reset()
      #expect(try directory.names().count == 14)
    }
  }

  @Test func `Each key is kept as long as there is an archive that it opens`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      for byte: UInt8 in 1...9 {
        try await store.save([byte], previous: .replace)
        try await store.reset()
      }
      let witness = directory.url.appendingPathComponent("witness").path
      try FileManager.default.linkItem(
        atPath: directory.state.keyPath + ".set-aside-1", toPath: witness)
      try await store.save([10], previous: .replace)
      let names = (2...9).flatMap { ["key.set-aside-\($0)", "state.keepsake.set-aside-\($0)"] }
      #expect(try directory.names() == (["key", "state.keepsake"] + names).sorted())
      #expect(try directory.contents(witness) == Data(count: 48), "written over")
      for number in 2...9 {
        let key = try SealKey.read(at: directory.state.keyPath + ".set-aside-\(number)")
        let path = directory.state.archivePath + ".set-aside-\(number)"
        #expect(try directory.opened(path, with: key).read() == [UInt8(number)])
      }
    }
  }

  @Test func `A set-aside archive that cannot be removed fails no save, and its key stays`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      try await store.reset()
      let stuck = directory.state.archivePath + ".set-aside-1"
      try FileManager.default.removeItem(atPath: stuck)
      try FileManager.default.createDirectory(
        atPath: stuck + "/something in it", withIntermediateDirectories: true)
      try write((2...9).map { "state.keepsake.damaged-\($0)" }, directory)
      for byte: UInt8 in 2...3 {
        try await store.save([byte], previous: .replace)
        #expect(try directory.names().count == 12)
      }
      try FileManager.default.removeItem(atPath: stuck + "/something in it")
      try await store.save([4], previous: .replace)
      let names = try directory.names()
      #expect(names.count == 10 && !names.contains("key.set-aside-1"))
    }
  }

  #if os(Linux)
    @Test func `A file that cannot be moved is an error at once`() {
      // The kernel does not allow renames there.
      let error = #expect(throws: FileError.self) {
        try DurableFile.setAside("/proc/self/status", "damaged")
      }
      #expect(error?.path == "/proc/self/status" || error?.path?.hasSuffix("damaged-1") == true)
      #expect(error?.code != .alreadyExists)
    }
  #endif
}
