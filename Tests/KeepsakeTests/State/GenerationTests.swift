import Foundation
import Testing

@testable import Keepsake
@testable import KeepsakeSeal

/// The generation of the state in a directory.
private func generation(in directory: TemporaryDirectory) throws -> UInt64 {
  try directory.opened(with: SealKey.read(at: directory.state.keyPath)).generation
}

/// A store whose saves replace the file and cannot tell whether the new file survives a power cut.
private func unsureStore(_ directory: TemporaryDirectory) -> SealedStateStore {
  SealedStateStore(directory: directory.state, keyStore: nil, freshnessStore: nil) {
    () throws(SealError) in
    throw SealError(
      .durabilityUnknown, path: directory.state.archivePath, systemError: EIO, systemCall: "fsync")
  }
}

@MainActor
@Suite struct `The generation of a state` {
  @Test func `The generation continues even if nothing was loaded before the save`() async throws {
    try await TemporaryDirectory.with { directory in
      for number in UInt8(1)...4 {
        try await SealedStateStore(directory: directory.state)
          .save([number], previous: .replace)
        #expect(try generation(in: directory) == UInt64(number))
      }
      let store = SealedStateStore(directory: directory.state)
      for number in UInt8(5)...6 {
        try await store.save([number], previous: .replace)
        #expect(try generation(in: directory) == UInt64(number))
      }
    }
  }

  @Test
  func `The generation continues after one that is known elsewhere, unless a state was not read`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      do {
        let store = SealedStateStore(directory: directory.state)
        for (known, next) in [(7, 8), (5, 9), (20, 21)] as [(UInt64, UInt64)] {
          try store.continueGenerations(after: known)
          try await store.save([1], previous: .replace)
          #expect(try generation(in: directory) == next)
        }
      }
      let store = SealedStateStore(directory: directory.state)
      try store.continueGenerations(after: 40)
      try await store.save([2], previous: .replace)
      #expect(try generation(in: directory) == 22)
    }
  }

  @Test func `A state that the present key cannot open is not overwritten`() async throws {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let before = try directory.contents(directory.state.archivePath)
      try FileManager.default.removeItem(atPath: directory.state.keyPath)
      _ = try SealKey.create(at: directory.state.keyPath)
      let error = await #expect(throws: RestorationError.self) {
        try await SealedStateStore(directory: directory.state).save([2], previous: .replace)
      }
      #expect(error?.code == .keyUnavailable)
      #expect(error?.message.contains(directory.state.archivePath) == true)
      #expect(try directory.contents(directory.state.archivePath) == before)
    }
  }

  @Test func `The generation begins again when the state is damaged, and the damaged file is kept`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      var bytes = try directory.contents(directory.state.archivePath)
      bytes[60] ^= 1
      try directory.write(bytes, to: directory.state.archivePath)
      let store = SealedStateStore(directory: directory.state)
      for _ in 0..<2 { try await store.save([2], previous: .replace) }
      #expect(try generation(in: directory) == 2)
      #expect(try directory.names() == ["key", "state.keepsake", "state.keepsake.damaged-1"])
      #expect(try directory.contents(directory.state.archivePath + ".damaged-1") == bytes)
    }
  }
}

@MainActor
@Suite struct `A save whose durability is unknown` {
  @Test func `A save of unknown durability says so, and the next one has the next generation`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let store = unsureStore(directory)
      for number in UInt8(2)...3 {
        let error = await #expect(throws: RestorationError.self) {
          try await store.save([number], previous: .replace)
        }
        #expect(error?.code == .durabilityUnknown)
        #expect(
          error?.message.hasPrefix("The change at \"\(directory.state.archivePath)\" is in place")
            == true, "\(error?.message ?? "")")
        #expect(try generation(in: directory) == UInt64(number))
        #expect(
          try directory.opened(with: SealKey.read(at: directory.state.keyPath)).read() == [number])
      }
    }
  }

  @Test func `A save of unknown durability sets aside what it replaced, and not what it wrote`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let damaged = Data("no state".utf8)
      try directory.write(damaged, to: directory.state.archivePath)
      let store = unsureStore(directory)
      // The engine saves with `.setAside` until a save has succeeded.
      for _ in 0..<3 {
        #expect(
          await restorationCode { try await store.save([2], previous: .setAside) }
            == .durabilityUnknown)
      }
      #expect(try directory.names() == ["key", "state.keepsake", "state.keepsake.damaged-1"])
      #expect(try directory.contents(directory.state.archivePath + ".damaged-1") == damaged)
      // A file that is found damaged later is set aside, even one that this store wrote.
      try directory.write(damaged, to: directory.state.archivePath)
      let found = await #expect(throws: RestorationError.self) { _ = try await store.load() }
      #expect(found?.code == .damaged)
      #expect(
        await restorationCode { try await store.save([3], previous: .setAside) }
          == .durabilityUnknown)
      #expect(try directory.contents(directory.state.archivePath + ".damaged-2") == damaged)
    }
  }

  @Test func `A save of unknown durability is reported by a saver, and tried again`() async throws {
    try await TemporaryDirectory.with { directory in
      let gate = VersionGate(programVersion: try BundleVersion("1"), policy: .exactly)
      let coordinator = RestorationCoordinator(
        store: unsureStore(directory), configuration: RestorationConfiguration(gate: gate))
      await coordinator.prepare()
      let app = VersionedApp()
      var codes: [RestorationError.Code] = []
      let saver = StateSaver(coordinator, of: app) { event in
        if case .failed(let error) = event { codes.append(error.code) }
      }
      saver.markDirty()
      let unknown = await #expect(throws: RestorationError.self) { try await saver.shutDown() }
      #expect(unknown?.code == .durabilityUnknown)
      #expect(codes == [.durabilityUnknown, .durabilityUnknown])
    }
  }
}
