import Keepsake

struct VisitEvent: Codable, Equatable, Sendable {
  var page: String
  var seconds = 0
}

func recordVisits(
  in directory: String, key: SealKey
) async throws -> UInt64 {
  let journal = try await Journal<VisitEvent>.open(
    at: directory + "/visits", for: .key(key))
  try await journal.append(VisitEvent(page: "home"))
  let number = try await journal.append(
    VisitEvent(page: "help", seconds: 40))
  try journal.close()
  return number
}

func longVisits(
  in directory: String, key: SealKey
) async throws -> [String] {
  let visits = JournalDirectory(
    directory + "/visits", with: .key(key))
  var pages: [String] = []
  let form = JournalForm<VisitEvent>.codable()
  for try await entry in visits.entries(as: form)
  where entry.value.seconds > 30 {
    pages.append("\(entry.number): \(entry.value.page)")
  }
  return pages
}

/// Shows the last messages, then each new one.
func followChat(
  at path: String, key: SealKey,
  show: @MainActor (String) -> Void
) async throws {
  let chat = JournalDirectory(path, with: .key(key))
  let form = JournalForm<String>.codable()
  let count = try chat.count()
  let first = count > 20 ? count - 20 : 0
  for try await message in chat.entries(
    as: form, from: first, following: true)
  {
    await show(message.value)
  }
}

func openSupportLog(
  at path: String, for support: X25519Recipient
) async throws -> Journal<String> {
  try await Journal<String>.open(
    at: path,
    for: JournalKeys(recipients: [.x25519(support)]))
}

func readSupportLog(
  at path: String, with identity: X25519Identity
) throws -> [String] {
  let keys = JournalKeys(
    recipients: [], identities: [.x25519(identity)])
  return try JournalDirectory(path, with: keys)
    .last(100, as: JournalForm<String>.codable())
    .map(\.value)
}

func openRollingLog(
  at path: String, key: SealKey
) throws -> Journal<String> {
  try Journal<String>.open(
    at: path, for: .key(key),
    options: JournalOptions(
      rotation: JournalRotation(
        size: 8 << 20, age: .seconds(86_400)),
      retention: JournalRetention(
        files: 30, size: 100 << 20),
      padding: .padme))
}

/// Appends an entry, and returns the pin to keep elsewhere.
func appendAndPin(
  _ event: String, to journal: Journal<String>
) throws -> [UInt8]? {
  try journal.append(event)
  return try journal.pin()?.bytes
}

/// Throws if entries up to the pin were changed or removed.
func checkTrail(
  at path: String, key: SealKey, pin: [UInt8]
) throws {
  _ = try JournalDirectory(path, with: .key(key))
    .verify(expecting: JournalPin(bytes: pin))
}

struct Shelf: Codable, Equatable, Sendable {
  var titles: [Int: String] = [:]
}

enum ShelfChange: Codable, Sendable {
  case add(id: Int, title: String)
  case remove(id: Int)
}

func makeShelf(
  in directory: String
) -> JournaledValue<Shelf, ShelfChange> {
  let keys = KeyFileStore(path: directory + "/key")
  return JournaledValue(
    path: directory + "/shelf", key: .keyStore(keys),
    default: Shelf()
  ) { shelf, change in
    switch change {
    case .add(let id, let title): shelf.titles[id] = title
    case .remove(let id): shelf.titles[id] = nil
    }
  }
}

func addTitle(
  _ title: String,
  to shelf: JournaledValue<Shelf, ShelfChange>
) async throws -> Int {
  try await shelf.update { shelf in
    let id = (shelf.titles.keys.max() ?? 0) + 1
    return [.add(id: id, title: title)]
  }.titles.count
}
