import Keepsake

/// Opens an archive from a stranger under low limits.
func openStrictly(_ bytes: [UInt8]) throws -> Archive {
  var limits = ArchiveLimits()
  limits.byteCount = 1 << 20
  limits.nestingDepth = 8
  return try Archive(bytes, limits: limits)
}

/// The message about an archive that exceeds a limit.
func complaint(about bytes: [UInt8]) -> String? {
  do throws(ArchiveError) {
    var limits = ArchiveLimits()
    limits.byteCount = 64
    _ = try Archive(bytes, limits: limits)
    return nil
  } catch {
    return error.code == .limitExceeded
      ? "It is too large: \(error)" : "\(error)"
  }
}

struct Reply: Codable, Sendable {
  var text = ""
  var replies: [Reply] = []
}

/// A store of up to 250 nested replies, two levels each.
func threadStore(
  path: String, key: SealedValueKey
) -> SealedValueStore<Reply> {
  var limits = ArchiveLimits()
  limits.nestingDepth = 512
  return SealedValueStore(
    path: path, key: key, default: Reply(), limits: limits)
}

/// Reads a part of a sealed file of any size.
func part(
  _ range: Range<Int>, of path: String, key: SealKey
) throws -> [UInt8] {
  try SealedFile.open(path, with: [.key(key)]).read(range)
}
