import Keepsake

struct ChatMessage: Codable, Sendable { var text: String }

func talk(
  in directory: String, key: SealKey
) async throws -> [String] {
  let journal = try await Journal<ChatMessage>.open(
    at: directory + "/messages", for: .key(key))
  try await journal.append(ChatMessage(text: "Hello"))
  var texts: [String] = []
  for try await entry in journal.entries() {
    texts.append(entry.value.text)
  }
  return texts
}
