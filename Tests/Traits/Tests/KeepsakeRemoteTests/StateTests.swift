import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

extension RemoteStateStore {
  /// The name of the status, and the bytes of the other state of a conflict.
  fileprivate var words: String {
    switch status {
    case .unknown: "unknown"
    case .current: "current"
    case .unsent(let error): "unsent" + (error.map { " \($0.code.rawValue)" } ?? "")
    case .behind: "behind"
    case .conflict(let conflict): "conflict \(conflict.archive)"
    case .refused(let error): "refused \(error.code.rawValue)"
    }
  }

  fileprivate func loaded() async throws -> [UInt8]? {
    guard case .archive(let archive, _) = try await load() else { return nil }
    return archive
  }
}

/// An object of a state, and machines that share it.
private struct Machines {
  let folder: String
  let key = Servers.freshKey("state.keepsake")
  let identities: [X25519Identity]

  init(in folder: String) throws {
    self.folder = folder
    identities = [try X25519Identity.generate(), try X25519Identity.generate()]
  }

  /// A launch of the app on a machine.
  func launch(
    _ machine: Int, through endpoint: String? = Servers.radosgw,
    writers: RemoteStateStore.Writers = .several, identity: X25519Identity? = nil,
    pins: (any FreshnessStore)? = nil
  ) throws -> RemoteStateStore {
    try RemoteStateStore(
      directory: StateDirectory(path: "\(folder)/\(machine)", application: "notes"),
      in: Servers.store(through: endpoint), key: key,
      for: identities.map { .x25519($0.recipient) },
      identities: [.x25519(identity ?? identities[machine])], writers: writers,
      freshnessStore: pins)
  }

  /// A launch that loads, saves, and ends.
  func save(_ archives: [[UInt8]], on machine: Int, through endpoint: String? = Servers.radosgw)
    async throws
  {
    let store = try launch(machine, through: endpoint)
    _ = try await store.load()
    for archive in archives { try await store.save(archive, previous: .replace) }
    await store.releaseDirectory()
  }

  /// The bytes of the local copy.
  func localCopy(_ machine: Int) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(machine)/state.keepsake"))
  }

  func putBack(_ copy: Data, on machine: Int) throws {
    try copy.write(to: URL(fileURLWithPath: "\(folder)/\(machine)/state.keepsake"))
  }

  var object: RemoteObject { get throws { try Servers.store().object(key) } }

  func setAside(_ machine: Int) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(machine)")
      .filter { $0.contains("set-aside") }.sorted()
  }
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `A state in a radosgw` {
  @Test func `A state follows its user to another machine and back`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      do {
        let first = try machines.launch(0)
        #expect(try await first.loaded() == nil)
        try await first.save([1], previous: .replace)
        #expect(first.words == "current")
        try await first.save([2], previous: .replace)
        #expect(first.words == "current")
      }
      do {
        let second = try machines.launch(1)
        #expect(try await second.loaded() == [2])
        #expect(second.words == "current")
        try await second.save([3], previous: .replace)
      }
      let first = try machines.launch(0)
      #expect(try await first.loaded() == [3])
      #expect(try await first.synchronize().isCurrent)
    }
  }

  @Test func `A second machine opens a state by a passphrase`() async throws {
    try await withFolder { folder in
      let key = Servers.freshKey("state.keepsake")
      func launch(_ machine: Int, _ text: String) throws -> RemoteStateStore {
        let passphrase = try SealPassphrase(text)
        return try RemoteStateStore(
          directory: StateDirectory(path: "\(folder)/\(machine)", application: "notes"),
          in: Servers.store(), key: key, for: [.passphrase(passphrase, cost: .constrained)],
          identities: [.passphrase(passphrase)])
      }
      let first = try launch(0, "seven words")
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      let second = try launch(1, "seven words")
      #expect(try await second.loaded() == [1])
      try await second.save([2], previous: .replace)
      #expect(try await first.loaded() == [2])
      let stranger = try launch(2, "other words")
      #expect(try await stranger.loaded() == nil)
      #expect(stranger.words == "refused stateRefused")
    }
  }

  @Test func `The object shows neither the state nor a key`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let store = try machines.launch(0)
      _ = try await store.load()
      try await store.save(Array("my secret diary".utf8), previous: .replace)
      let sealed = try await machines.object.content()
      #expect(Data(sealed).range(of: Data("diary".utf8)) == nil)
      let summary = try SealedFile.inspect(bytes: sealed)
      #expect(
        summary.slotTypes == [.x25519, .x25519] && summary.statePurpose?.application == "notes")
      for name in ["key", "remote", "state.keepsake"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/0/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
    }
  }

  @Test(arguments: [RemoteStateStore.Choice.keepMine, .takeTheirs])
  func `Two machines that have both saved have a conflict, and nothing is lost`(
    choice: RemoteStateStore.Choice
  ) async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let first = try machines.launch(0)
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      let second = try machines.launch(1)
      #expect(try await second.loaded() == [1])
      try await second.save([2], previous: .replace)
      try await first.save([3], previous: .replace)
      #expect(first.words == "conflict [2]")
      try await first.save([4], previous: .replace)
      #expect(first.words == "conflict [2]")
      #expect(try await second.loaded() == [2])

      let status = try await first.resolve(choice)
      #expect(status.isCurrent)
      #expect(try machines.setAside(0).count == 1)
      let kept: [UInt8] = choice == .keepMine ? [4] : [2]
      #expect(try await first.loaded() == kept)
      #expect(try await second.loaded() == kept)
      try await second.save([5], previous: .replace)
      #expect(second.words == "current")
    }
  }

  @Test func `A second machine with a state of its own has a conflict at once`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let first = try machines.launch(0)
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      let second = try machines.launch(1, through: "http://127.0.0.1:1")
      #expect(try await second.loaded() == nil)
      try await second.save([2], previous: .replace)
      #expect(second.words == "unsent unreachable")
      await second.releaseDirectory()
      let online = try machines.launch(1)
      #expect(try await online.loaded() == [2])
      #expect(online.words == "conflict [1]")
    }
  }

  @Test func `Saves without a connection are kept on the machine and sent later`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let online = try machines.launch(0)
      _ = try await online.load()
      try await online.save([1], previous: .replace)
      await online.releaseDirectory()
      let offline = try machines.launch(0, through: "http://127.0.0.1:1")
      #expect(try await offline.loaded() == [1])
      #expect(offline.words == "unsent unreachable")
      try await offline.save([2], previous: .replace)
      await offline.releaseDirectory()
      let again = try machines.launch(0)
      #expect(try await again.loaded() == [2])
      #expect(again.words == "unsent")
      #expect(try await again.synchronize().isCurrent)
      #expect(try await machines.launch(1).loaded() == [2])
    }
  }

  @Test(arguments: [RemoteStateStore.Choice.keepMine, .takeTheirs], [0, 4])
  func `An older local copy that is put back does not overwrite the newer state`(
    choice: RemoteStateStore.Choice, savesOffline: Int
  ) async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      try await machines.save([[1]], on: 0)
      let old = try machines.localCopy(0)
      try await machines.save([[2], [3]], on: 0)
      try machines.putBack(old, on: 0)
      // There are no saves without a connection, or more of them than the newer state had.
      let saves = (0..<savesOffline).map { [UInt8(10 + $0)] }
      try await machines.save(saves, on: 0, through: "http://127.0.0.1:1")
      let store = try machines.launch(0)
      #expect(try await store.loaded() == saves.last ?? [1])
      #expect(store.words == "conflict [3]")
      #expect(try await store.synchronize().isCurrent == false)
      try await store.save([9], previous: .replace)
      #expect(store.words == "conflict [3]")
      #expect(try await machines.launch(1).loaded() == [3])

      #expect(try await store.resolve(choice).isCurrent)
      #expect(try machines.setAside(0).count == 1)
      let kept: [UInt8] = choice == .keepMine ? [9] : [3]
      #expect(try await store.loaded() == kept)
      #expect(try await machines.launch(1).loaded() == kept)
      await store.releaseDirectory()
      // The copy is put back again. It is older than the local copies after the decision.
      try machines.putBack(old, on: 0)
      let again = try machines.launch(0)
      #expect(try await again.loaded() == [1])
      #expect(again.words == "conflict \(kept)")
    }
  }

  @Test func `A damaged local copy lets no new state overwrite the remote one`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      try await machines.save([[1], [2]], on: 0)
      try machines.putBack(Data(machines.localCopy(0).dropLast()), on: 0)
      let store = try machines.launch(0)
      let error = await #expect(throws: RestorationError.self) { _ = try await store.load() }
      #expect(error?.code == .damaged)
      try await store.save([9], previous: .setAside)
      #expect(store.words == "conflict [2]")
      #expect(try await store.resolve(.takeTheirs).isCurrent)
      #expect(try await store.loaded() == [2])
    }
  }

  @Test
  func `A pin that is kept elsewhere refuses an older state even if the directory is put back`()
    async throws
  {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let pins = FileFreshnessStore(path: folder + "/pins")
      let first = try machines.launch(0, pins: pins)
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      await first.releaseDirectory()
      try FileManager.default.copyItem(atPath: folder + "/0", toPath: folder + "/copy")
      let second = try machines.launch(0, pins: pins)
      #expect(try await second.loaded() == [1])
      try await second.save([2], previous: .replace)
      let between = try await machines.object.content()
      try await second.save([3], previous: .replace)
      let last = try await machines.object.content()
      await second.releaseDirectory()
      func putBack() throws {
        try FileManager.default.removeItem(atPath: folder + "/0")
        try FileManager.default.copyItem(atPath: folder + "/copy", toPath: folder + "/0")
      }

      // The state is later than the record that was put back, and older than the pin.
      try putBack()
      try await machines.object.put(between)
      let fooled = try machines.launch(0)
      #expect(try await fooled.loaded() == [2])
      await fooled.releaseDirectory()
      try putBack()
      let pinned = try machines.launch(0, pins: pins)
      #expect(try await pinned.loaded() == [1])
      #expect(pinned.words == "refused stateRefused")
      try await pinned.save([9], previous: .replace)
      #expect(try await machines.object.get()?.bytes == between)
      await pinned.releaseDirectory()

      // The next state is later than the pin, even without an object.
      try await machines.object.delete()
      let later = try machines.launch(0, pins: pins)
      _ = try await later.load()
      #expect(try await later.synchronize().isCurrent)
      try await machines.object.put(last)
      #expect(try await later.loaded() == [9])
      #expect(later.words == "refused stateRefused")
    }
  }

  @Test func `A pin that cannot be read or kept is reported`() async throws {
    struct Broken: FreshnessStore {
      let isReadable: Bool
      private var failure: KeepsakeError { KeepsakeError(.freshnessUnavailable, "It is locked.") }
      func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin? {
        if isReadable { return nil } else { throw failure }
      }
      func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError) {
        throw failure
      }
      func removePin(of purpose: StatePurpose) throws(KeepsakeError) {}
    }
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let unknown = try machines.launch(0, pins: Broken(isReadable: false))
      _ = try await unknown.load()
      try await unknown.save([1], previous: .replace)
      #expect(unknown.words == "refused stateRefused")
      #expect(try await machines.object.get() == nil)
      let unkept = try machines.launch(1, pins: Broken(isReadable: true))
      _ = try await unkept.load()
      let error = await #expect(throws: RestorationError.self) {
        try await unkept.save([2], previous: .replace)
      }
      #expect(error?.code == .pinNotKept)
      #expect(unkept.words == "current")
      #expect(try await unknown.loaded() == [1])
      #expect(unknown.words == "refused stateRefused")
    }
  }

  @Test
  func `An older state that was put into the object is refused and not overwritten`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let store = try machines.launch(0)
      _ = try await store.load()
      try await store.save([1], previous: .replace)
      let old = try await machines.object.content()
      try await store.save([2], previous: .replace)
      try await machines.object.put(old)
      #expect(try await store.loaded() == [2])
      #expect(store.words == "refused stateRefused")
      try await store.save([3], previous: .replace)
      #expect(try await machines.object.get()?.bytes == old)
    }
  }

  @Test func `A state for other keys, and one that was changed, are refused`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let first = try machines.launch(0)
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      let stranger = try machines.launch(1, identity: X25519Identity.generate())
      #expect(try await stranger.loaded() == nil)
      #expect(stranger.words == "refused stateRefused")
      try await stranger.save([9], previous: .replace)
      var bytes = try await machines.object.content()
      bytes[bytes.count - 1] ^= 1
      try await machines.object.put(bytes)
      #expect(try await first.loaded() == [1])
      #expect(first.words == "refused stateRefused")
      #expect(try await machines.object.get()?.bytes == bytes)
    }
  }

  @Test
  func `A state that was removed stays removed, even if the old object is put back`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let store = try machines.launch(0)
      _ = try await store.load()
      try await store.save([1], previous: .replace)
      let old = try await machines.object.content()
      try await store.remove()
      #expect(try await machines.object.get() == nil)
      #expect(try await store.loaded() == nil)
      try await machines.object.put(old)
      #expect(try await store.loaded() == nil)
      try await store.save([2], previous: .replace)
      #expect(store.words == "current")
      #expect(try await machines.launch(1).loaded() == [2])
    }
  }

  @Test
  func `A state that is set aside is not loaded again until the object changes`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let store = try machines.launch(0)
      _ = try await store.load()
      try await store.save([1], previous: .replace)
      #expect(try await store.setAside().contains("interrupted"))
      #expect(try await store.loaded() == nil)
      let second = try machines.launch(1)
      _ = try await second.load()
      try await second.save([2], previous: .replace)
      #expect(try await store.loaded() == [2])
    }
  }

  @Test func `A state that begins again without a connection is not taken for an older copy`()
    async throws
  {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      try await machines.save([[1], [2], [3]], on: 0)
      let store = try machines.launch(0)
      _ = try await store.setAside()
      await store.releaseDirectory()
      try await machines.save([[4]], on: 0, through: "http://127.0.0.1:1")
      let again = try machines.launch(0)
      #expect(try await again.loaded() == [4])
      #expect(again.words == "unsent")
      #expect(try await again.synchronize().isCurrent)
    }
  }

  @Test func `A damaged record is written again if both states are equal`() async throws {
    try await withFolder { folder in
      let machines = try Machines(in: folder)
      let first = try machines.launch(0)
      _ = try await first.load()
      try await first.save([1], previous: .replace)
      await first.releaseDirectory()
      try Data("keepsake remote 1\n".utf8).write(to: URL(fileURLWithPath: folder + "/0/remote"))
      let same = try machines.launch(0)
      #expect(try await same.loaded() == [1])
      #expect(same.words == "current")
    }
  }
}

extension RemoteStateStore.Status {
  var isCurrent: Bool { if case .current = self { true } else { false } }
}

extension RemoteStateStore {
  /// Ends the launch: another one may use the directory.
  fileprivate func releaseDirectory() async { await local.suspend() }
}

@Suite struct `The record of an exchange` {
  @Test func `A record is read as it was written, and not from changed bytes`() throws {
    var record = SyncRecord(object: "s3://a/b")
    #expect(SyncRecord(record.bytes) == record)
    let sealed = try SealedFile.seal([1].span, for: [.key(SealKey.generate())])
    let pin = SealedFilePin(try SealedFile.inspect(bytes: sealed), generation: 7)
    record.seen = SyncRecord.Pair(pin: pin, localFileID: pin.fileID, localGeneration: .max)
    record.sent = SyncRecord.Pair(
      pin: pin, localFileID: SyncRecord.noFileID, localGeneration: 0)
    record.isProbed = true
    let bytes = record.bytes
    #expect(SyncRecord(bytes) == record)
    for index in bytes.indices {
      #expect(SyncRecord(Array(bytes[..<index])) == nil)
      var changed = bytes
      changed[index] = 0x20
      #expect(changed == bytes || SyncRecord(changed) != record)
    }
    #expect(SyncRecord(bytes + [0x0A]) == nil)
  }
}
