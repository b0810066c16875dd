import KeepsakeArchive

/// What all encoders of one call share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
  let nestingDepth: Int

  /// The first mistake in a call that cannot throw.
  private(set) var failure: EncodingError?

  private var keyOrder = KeyOrder()

  init(userInfo: [CodingUserInfoKey: any Sendable], nestingDepth: Int) {
    self.userInfo = userInfo
    self.nestingDepth = nestingDepth
  }

  /// The order in which the values of a container with these keys are written.
  func order(of entries: [NodeEncoder.Entry]) -> [Int] { keyOrder.order(of: entries) }

  /// Keeps a mistake until encoding ends.
  func fail(_ error: EncodingError) {
    if failure == nil { failure = error }
  }
}

extension EncodingError {
  static func misuse(_ description: String, of value: Any, at path: [any CodingKey]) -> Self {
    .invalidValue(value, Context(codingPath: path, debugDescription: description))
  }
}
