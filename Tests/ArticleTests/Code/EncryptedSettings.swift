import Keepsake

struct ReaderSettings: Codable, Equatable, Sendable {
  var fontSize = 12
  var theme = "light"
}

func saveSettings(
  _ settings: ReaderSettings, to path: String,
  passphrase: String
) throws {
  try SealedValue.save(
    settings, to: path, for: .passphrase(passphrase))
}

func loadReaderSettings(
  from path: String, passphrase: String
) throws -> ReaderSettings {
  try SealedValue.load(
    from: path, with: .passphrase(passphrase))
}

func settingsOrReason(
  from path: String, passphrase: String
) -> (ReaderSettings?, String) {
  do throws(KeepsakeError) {
    let settings: ReaderSettings = try SealedValue.load(
      from: path, with: .passphrase(passphrase))
    return (settings, "")
  } catch {
    switch error.code {
    case .valueAbsent:
      return (ReaderSettings(), "These are the defaults.")
    case .keyWrong:
      return (nil, "That is not the passphrase. Try again.")
    default: return (nil, "\(error)")
    }
  }
}

func makeSettingsStore(
  in directory: String
) -> SealedValueStore<ReaderSettings> {
  let keys = KeyFileStore(path: directory + "/key")
  return SealedValueStore(
    path: directory + "/settings", key: .keyStore(keys),
    default: ReaderSettings())
}

func enlargeText(
  in store: SealedValueStore<ReaderSettings>
) async throws -> Int {
  try await store.update { $0.fontSize += 2 }.fontSize
}

/// Shows each new value, until its task is cancelled.
func follow(
  _ store: SealedValueStore<ReaderSettings>,
  show: @MainActor (ReaderSettings) -> Void
) async throws {
  for try await settings in store.values {
    await show(settings)
  }
}

@MainActor
func enlargeTextAtOnce(
  in store: SealedValueStore<ReaderSettings>
) async throws -> Int {
  let settings = SealedSettings(store) { failure in
    print("Not saved yet: \(failure)")
  }
  @SealedSetting(\.fontSize, in: settings) var fontSize
  fontSize += 2
  // Before the app ends: waits for the last save.
  try await settings.synchronize()
  return fontSize
}

func openProtectedSettings(
  in directory: String, typed: String
) async throws -> SealedValueStore<ReaderSettings> {
  let keys = PassphraseKeyStore(path: directory + "/key")
  try await keys.unlock(with: SealPassphrase(typed))
  return SealedValueStore(
    path: directory + "/settings", key: .keyStore(keys),
    default: ReaderSettings())
}

struct Bookmark: ValueWithDefaults, Equatable, Sendable {
  var page = 1
  var color = "red"  // The first version had no colors.

  static var defaults: Bookmark { Bookmark() }
}

struct Library: Codable, Equatable, Sendable {
  var bookmarks: [String: [Bookmark]] = [:]
}

func makeWatchfulStore(
  at path: String, key: SealKey,
  _ report: @escaping @Sendable (UnknownKeyReport) -> Void
) -> SealedValueStore<ReaderSettings> {
  SealedValueStore(
    path: path, key: .key(key),
    default: ReaderSettings(),
    unknownKeys: .report(report))
}
