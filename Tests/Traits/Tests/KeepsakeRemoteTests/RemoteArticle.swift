import Keepsake
import KeepsakeRemote

func openBucket() throws -> ObjectStore {
  let profile = try ObjectStoreProfile.current()
  return try ObjectStore(
    bucket: "states",
    at: profile.endpoint ?? "https://objects.example.com",
    region: profile.region ?? "us-east-1",
    credentials: profile.credentials)
}

func makeStore(
  in bucket: ObjectStore, directory: StateDirectory,
  machines: [X25519Recipient], mine: X25519Identity
) throws -> RemoteStateStore {
  try RemoteStateStore(
    directory: directory, in: bucket,
    key: "users/17/state.keepsake",
    for: machines.map { .x25519($0) },
    identities: [.x25519(mine)])
}

func settle(
  _ store: RemoteStateStore,
  keepsMine: (_ other: [UInt8]) async -> Bool
) async throws {
  guard case .conflict(let conflict) = store.status
  else { return }
  let mine = await keepsMine(conflict.archive)
  try await store.resolve(mine ? .keepMine : .takeTheirs)
}

func title(
  ofPage number: UInt32, in object: RemoteObject,
  key: SealKey
) async throws -> String {
  let source = try await RemoteSource.open(object)
  return try await source.perform { source in
    let file = try SealedFile.open(
      source: source, with: [.key(key)])
    let archive = try Archive(source: file)
    return try archive.object(ArchiveObjectID(number))
      .decode(String.self, forKey: "title")
  }
}

func publish(
  _ bytes: [UInt8], as object: RemoteObject,
  replacing version: ObjectVersion?
) async throws -> ObjectVersion? {
  do throws(RemoteError) {
    return try await object.put(
      bytes, if: version.map { .version($0) } ?? .absent)
  } catch {
    // Another writer was faster.
    if error.code == .changedMeanwhile { return nil }
    throw error
  }
}

func upload(
  _ pages: some Sequence<[UInt8]> & Sendable,
  to object: RemoteObject, key: SealKey
) async throws {
  try await object.seal(for: [.key(key)]) { file in
    for page in pages { try file.write(page) }
  }
}

struct SharedSettings: Codable, Sendable {
  var color = "blue"
}

func shareColor(
  _ color: String, in object: RemoteObject,
  machines: [X25519Recipient], mine: X25519Identity
) async throws {
  let store = RemoteValueStore(
    object: object,
    key: .recipients(
      machines.map { .x25519($0) },
      identities: [.x25519(mine)]),
    default: SharedSettings())
  try await store.update { $0.color = color }
}

func keepCopy(
  of journal: Journal<String>, in bucket: ObjectStore
) async throws {
  let uploader = JournalUploader(
    journal.directory, to: bucket, prefix: "logs/mine")
  try await uploader.follow { result in
    if case .failure(let error) = result { print(error) }
  }
}

func lastLines(
  _ count: Int, in bucket: ObjectStore, key: SealKey
) async throws -> [String] {
  let journal = try await RemoteJournal.open(
    in: bucket, prefix: "logs/mine", with: .key(key))
  return try await journal.perform { directory in
    try directory.last(count, as: .codable())
      .map(\.value)
  }
}
