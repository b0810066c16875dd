/// What a caller knows of the file from elsewhere when it opens it.
public enum SealExpectation: Hashable, Sendable {
  /// Nothing: an older file that was put back opens like the last one.
  case nothing
  /// At least a generation.
  case atLeast(generation: UInt64)
  /// The file of the pin, or one of a later generation.
  case notBefore(SealedFilePin)
  /// The file of the pin, with the same slots.
  case exactly(SealedFilePin)

  /// Refuses a file that is not as expected (Spec/seal.md, section 7.3).
  func check(_ pin: SealedFilePin) throws(SealError) -> SealFreshness {
    switch self {
    case .nothing: return .unverified
    case .atLeast(let generation):
      guard pin.generation >= generation else {
        throw SealError(
          .staleFile, detail: "generation \(pin.generation), expected at least \(generation)")
      }
      return .notOlder
    case .notBefore(let last):
      guard pin.generation >= last.generation else {
        throw SealError(
          .staleFile, detail: "generation \(pin.generation), seen \(last.generation)")
      }
      guard pin.generation > last.generation || pin == last else {
        throw SealError(
          .staleFile, detail: "another file of generation \(pin.generation) was seen")
      }
      return pin == last ? .exact : .notOlder
    case .exactly(let expected):
      guard pin == expected else {
        throw SealError(
          .staleFile, detail: "generation \(pin.generation), expected \(expected.generation)")
      }
      return .exact
    }
  }
}
