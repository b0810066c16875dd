import Keepsake

struct NoteSettings: Codable { var fontSize = 12 }

func save(_ settings: NoteSettings, to path: String, passphrase: String) throws {
  try SealedValue.save(settings, to: path, for: .passphrase(passphrase))
}

func loadSettings(from path: String, passphrase: String) throws -> NoteSettings {
  try SealedValue.load(from: path, with: .passphrase(passphrase))
}
