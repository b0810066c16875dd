/// How far a long operation has come.
///
/// Operations that take a progress observer call it on the calling thread, after every few hundred
/// kibibytes and at the end. The answer says whether to go on:
///
/// ```swift
/// try SealedFile.seal(bytes.span, to: path, for: recipients) { progress in
///   bar.value = progress.fraction ?? 0
///   return !Task.isCancelled
/// }
/// ```
public struct SealProgress: Sendable, Equatable {
  /// How many bytes of plaintext are done; it never goes down.
  public let completedByteCount: Int

  /// How many there are in all; nil for a stream whose end is not known yet.
  public let totalByteCount: Int?

  /// The completed part, from 0 to 1; nil when the total is not known.
  public var fraction: Double? {
    totalByteCount.map { $0 == 0 ? 1 : Double(completedByteCount) / Double($0) }
  }

  /// What looks at the progress of an operation, and answers whether it is to go on.
  ///
  /// When the answer is false, the operation throws `cancelled` and leaves nothing behind.
  public typealias Observer = (SealProgress) -> Bool
}

/// An observer, if there is one, and what it is to be told.
struct ProgressReport {
  let total: Int?
  let observer: SealProgress.Observer?

  static var none: ProgressReport { ProgressReport(total: nil, observer: nil) }

  func tell(_ completed: Int) throws(SealError) {
    guard let observer else { return }
    let progress = SealProgress(completedByteCount: completed, totalByteCount: total)
    guard observer(progress) else { throw SealError(.cancelled) }
  }
}
