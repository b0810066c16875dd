/// The progress of a long operation.
///
/// Operations that take a progress observer call it on the calling thread, after every few hundred kibibytes
/// and at the end. The observer returns whether to continue:
///
/// ```swift
/// try SealedFile.seal(
///   bytes.span, to: path, for: recipients
/// ) { progress in
///   bar.value = progress.fraction ?? 0
///   return !Task.isCancelled
/// }
/// ```
public struct SealProgress: Sendable, Equatable {
  /// The number of bytes of plaintext that are done; it never decreases.
  public let completedByteCount: Int

  /// The total number of bytes of plaintext; nil for a stream whose end is not known yet.
  public let totalByteCount: Int?

  /// The completed part, from 0 to 1; nil when the total is not known.
  public var fraction: Double? {
    totalByteCount.map { $0 == 0 ? 1 : Double(completedByteCount) / Double($0) }
  }

  /// A function that receives the progress of an operation and returns whether to continue.
  ///
  /// When it returns false, the operation throws `cancelled` and leaves nothing behind.
  public typealias Observer = (SealProgress) -> Bool
}

/// An optional observer, and the total that it is told.
struct ProgressReport {
  let total: Int?
  let observer: SealProgress.Observer?

  static var none: ProgressReport { ProgressReport(total: nil, observer: nil) }

  func report(_ completed: Int) throws(SealError) {
    guard let observer else { return }
    let progress = SealProgress(completedByteCount: completed, totalByteCount: total)
    guard observer(progress) else { throw SealError(.cancelled) }
  }
}
