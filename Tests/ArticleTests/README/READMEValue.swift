import Keepsake

struct NoteSettings: Codable, Sendable { var fontSize = 12 }

func enlargeText(in directory: String) throws -> Int {
  let keys = KeyFileStore(path: directory + "/key")
  let settings = SealedValueStore(
    path: directory + "/settings", key: .keyStore(keys),
    default: NoteSettings())
  return try settings.update { $0.fontSize += 2 }.fontSize
}
