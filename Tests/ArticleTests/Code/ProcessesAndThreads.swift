import Keepsake

struct Tally: Codable, Sendable { var count = 0 }

/// Counts from any task or process; no increment is lost.
func countVisit(
  in store: SealedValueStore<Tally>
) async throws -> Int {
  try await store.update { $0.count += 1 }.count
}

/// An actor that owns a value. Saving does not block it.
actor Visits {
  private let store: SealedValueStore<Tally>

  init(path: String, key: SealKey) {
    store = SealedValueStore(
      path: path, key: .key(key), default: Tally())
  }

  func record() async throws -> Int {
    try await store.update { $0.count += 1 }.count
  }
}

/// Seals a large file without blocking the calling actor.
///
/// Stops when its task is cancelled.
func sealFilm(
  _ film: String, to path: String, key: SealKey
) async throws -> Int {
  try await SealedFile.perform { progress in
    try SealedFile.seal(
      contentsOf: film, to: path, for: [.key(key)],
      progress: progress
    ).fileSize
  }
}

/// One archive, read by several tasks at once.
func longestName(in bytes: [UInt8]) async throws -> Int {
  let archive = try Archive(bytes)
  return try await withThrowingTaskGroup(of: Int.self) {
    group in
    for number in 1...UInt32(archive.objectCount) {
      group.addTask {
        let object = try archive.object(
          ArchiveObjectID(number))
        let name: String = try object.decode(forKey: "name")
        return name.count
      }
    }
    return try await group.reduce(0, max)
  }
}

/// Launches an app, unless another copy of it runs.
@MainActor func launchOnce(
  _ app: any RestorationDelegate,
  in directory: StateDirectory
) async throws -> (
  coordinator: RestorationCoordinator, refusal: String?
) {
  let coordinator = RestorationCoordinator(
    directory: directory,
    configuration: RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0")))
  let report = await coordinator.launch(app)
  guard case .refused(let refusal) = report.outcome,
    case .storeUnavailable(let reason) = refusal
  else {
    return (coordinator, nil)
  }
  return (coordinator, reason)
}
