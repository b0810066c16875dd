import Foundation
import Keepsake

struct Preferences: Codable, Equatable, Sendable {
  var userName = ""
  var isSoundOn = true
  var recentFiles: [String] = []
}

/// Moves the values in `UserDefaults` to the store, once.
func moveIn(
  from defaults: UserDefaults,
  to store: SealedValueStore<Preferences>
) throws -> Preferences {
  guard defaults.object(forKey: "userName") != nil else {
    return try store.load()
  }
  let name = defaults.string(forKey: "userName")
  let sound = defaults.object(forKey: "isSoundOn") as? Bool
  let files = defaults.stringArray(forKey: "recentFiles")
  let saved = try store.update { preferences in
    preferences.userName = name ?? ""
    preferences.isSoundOn = sound ?? true
    preferences.recentFiles = files ?? []
  }
  // The update has returned: the values are on the disk.
  for key in ["userName", "isSoundOn", "recentFiles"] {
    defaults.removeObject(forKey: key)
  }
  return saved
}

/// Moves a JSON file into a sealed file, reads that back,
/// and then removes the JSON file.
func moveIn(
  fromJSON file: URL, to path: String, key: SealKey
) throws -> Preferences {
  let old = try JSONDecoder().decode(
    Preferences.self, from: Data(contentsOf: file))
  try SealedValue.save(old, to: path, for: .key(key))
  let saved: Preferences = try SealedValue.load(
    from: path, with: .key(key))
  guard saved == old else {
    throw CocoaError(.fileReadCorruptFile)
  }
  try FileManager.default.removeItem(at: file)
  return saved
}

/// A row of a table, as a record.
struct Message: ArchiveRecord, Equatable {
  static var archiveTypeName: String { "Message" }
  var sender: String
  var text: String

  init(sender: String, text: String) {
    (self.sender, self.text) = (sender, text)
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(sender, forKey: "sender")
    coder.encode(text, forKey: "text")
  }

  init(from coder: borrowing ObjectDecoder)
    throws(ArchiveError)
  {
    sender = try coder.decode(forKey: "sender")
    text = try coder.decode(forKey: "text")
  }
}

/// Takes over a table row by row, in bounded memory.
func moveIn(
  rows: some Sequence<Message>, to path: String,
  key: SealKey
) throws -> Int {
  let file = try SealedFileWriter(
    to: path, for: [.key(key)])
  var writer = ArchiveStreamWriter(to: file)
  var count = 0
  for row in rows {
    try writer.writeObject(row)
    count += 1
  }
  try writer.finish()
  _ = try file.finish()
  return count
}

/// Reads the rows one after the other, in bounded memory.
func readMessages(
  from path: String, key: SealKey, _ body: (Message) -> Void
) throws {
  let file = try SealedFile.open(path, with: [.key(key)])
  var reader = try ArchiveStreamReader(file.makeReader())
  while let message = try reader.next(Message.self) {
    body(message)
  }
}
