/// What a caller knows of the file from elsewhere when it opens it.
public enum SealExpectation: Hashable, Sendable {
  /// Nothing: an older file that was put back opens like the last one.
  case nothing
  /// At least a generation.
  case atLeast(generation: UInt64)
  /// The file of the pin, or one of a later generation.
  case notBefore(SealedFilePin)
  /// The file of the pin, with the same slots, and with the same content if the pin covers it.
  case exactly(SealedFilePin)

  private var pin: SealedFilePin? {
    switch self {
    case .nothing, .atLeast: nil
    case .notBefore(let pin), .exactly(let pin): pin
    }
  }

  /// Whether the content digest of a file with this pin decides.
  func needsContentDigest(of found: @autoclosure () -> SealedFilePin) -> Bool {
    guard let pin, pin.contentDigest != nil else { return false }
    return pin.hasHeader(of: found())
  }

  /// Refuses a file that is not as expected (Spec/seal.md, section 7.3).
  func check(_ pin: @autoclosure () -> SealedFilePin) throws(SealError) -> SealFreshness {
    if case .nothing = self { return .unverified }
    let found = pin()
    switch self {
    case .nothing: return .unverified
    case .atLeast(let generation):
      guard found.generation >= generation else {
        throw SealError(
          .staleFile, detail: "generation \(found.generation), expected at least \(generation)")
      }
      return .notOlder
    case .notBefore(let last):
      guard found.generation >= last.generation else {
        throw SealError(
          .staleFile, detail: "generation \(found.generation), seen \(last.generation)")
      }
      guard found.generation == last.generation else { return .notOlder }
      return try require(
        last, found, "another file of generation \(found.generation) was seen")
    case .exactly(let expected):
      return try require(
        expected, found, "generation \(found.generation), expected \(expected.generation)")
    }
  }

  private func require(
    _ expected: SealedFilePin, _ found: SealedFilePin, _ detail: String
  ) throws(SealError) -> SealFreshness {
    guard found.hasHeader(of: expected) else { throw SealError(.staleFile, detail: detail) }
    guard let digest = expected.contentDigest else { return .sameHeader }
    guard found.contentDigest == digest else {
      throw SealError(.staleFile, detail: "the header is the one that was seen, the content is not")
    }
    return .exact
  }
}

/// How much is known of whether an open file is the last one that was written.
///
/// Against whom it holds is another question: see ``SealedFile/freshnessHoldsAgainstKeyHolders``.
public enum SealFreshness: Hashable, Sendable {
  /// Nothing: the caller expected nothing, and an earlier version of the file looks the same.
  case unverified
  /// It is not older than what the caller had seen, if the generation that its writer gave it is right.
  case notOlder
  /// It has the header that the caller had seen, slots and all; the content can only have been changed by
  /// somebody with a key of the file.
  case sameHeader
  /// Its header and every chunk are those that the caller had seen; who signed it is another question.
  case exact
}
