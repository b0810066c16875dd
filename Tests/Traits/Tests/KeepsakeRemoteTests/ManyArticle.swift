import Keepsake
import KeepsakeRemote

func replace(
  _ former: X25519Recipient, by next: X25519Recipient,
  inStatesBelow prefix: String, of bucket: ObjectStore,
  opening mine: X25519Identity
) async throws -> (movedByteCount: Int, failed: [String]) {
  var moved = 0
  var failed: [String] = []
  for entry in try await bucket.list(prefix: prefix) {
    do {
      let object = try bucket.object(entry.key)
      let result = try await object.rewrap(
        with: [.x25519(mine)], adding: [.x25519(next)],
        removing: [.recipient(.x25519(former))])
      moved +=
        result.receivedByteCount + result.sentByteCount
    } catch {
      // Saved meanwhile, or not for these keys.
      failed.append(entry.key)
    }
  }
  return (moved, failed)
}
