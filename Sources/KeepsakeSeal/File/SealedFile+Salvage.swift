extension SealedFile {
  /// Hands out what is intact of a damaged file, chunk by chunk.
  ///
  /// The header must be whole: without it there is no key. Chunks that were changed, cut off or cannot
  /// be read are left out; bytes after the end are ignored. What is handed out is verified, chunk by
  /// chunk, but it is not the whole, so use it only for saving what can be saved, with the user's
  /// consent.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file; a link is not followed.
  ///   - identities: What to try.
  ///   - context: The bytes that were passed as ``SealOptions/context``.
  ///   - policy: What the reader is willing to work on.
  ///   - receive: Takes the plaintext of one intact chunk and its offset; the offsets rise.
  /// - Returns: What is intact and what is not.
  /// - Throws: ``SealError`` as ``open(_:with:context:expecting:policy:)`` does for the header, or what
  ///   `receive` throws.
  public static func salvage(
    _ path: String, with identities: [SealIdentity], context: [UInt8] = [],
    policy: SealPolicy = .default, receive: (_ offset: Int, _ bytes: Span<UInt8>) throws -> Void
  ) throws -> SalvageReport {
    let (source, payload) = try salvageable(
      path, with: identities, context: context, policy: policy)
    let layout = payload.layout
    var report = SalvageReport(plaintextLength: layout.plaintextLength)
    // Of what the file is too short for, nothing needs to be tried.
    let present = layout.chunks(within: source.size).clamped(to: layout.plaintextChunks)
    for chunk in present {
      let part = layout.plaintextRange(of: chunk..<chunk + 1)
      if let bytes = try? payload.read(part, from: source, threads: 1) {
        try receive(part.lowerBound, bytes.span)
        report.addIntact(part)
      } else {
        report.addDamaged(chunk..<chunk + 1, part)
      }
    }
    let lost = present.upperBound..<layout.plaintextChunks.upperBound
    if !lost.isEmpty { report.addDamaged(lost, layout.plaintextRange(of: lost)) }
    return report
  }

  private static func salvageable(
    _ path: String, with identities: [SealIdentity], context: [UInt8], policy: SealPolicy
  ) throws(SealError) -> (SealedSource, SealedPayload) {
    do throws(SealError) {
      let source = try SealedSource(path: path)
      let header = try source.header(after: source.preamble(policy: policy))
      let unlocked = try UnlockedHeader(
        header, identities: identities, context: context, policy: policy)
      return (source, try unlocked.verifiedContent(in: source, policy: policy).payload)
    } catch {
      throw error.at(path)
    }
  }
}
