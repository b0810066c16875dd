/// A reference to an object that somebody else keeps alive.
///
/// Decoders that are lent out for the length of a call refer by it to what they share; the one who
/// lends holds it. Decoders that are given away hold a counted reference beside this one.
@safe
@usableFromInline
struct BorrowedReference<Object: AnyObject>: BitwiseCopyable {
  private let reference: Unmanaged<Object>

  init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// The object, counted from now on.
  var object: Object {
    unsafe reference.takeUnretainedValue()
  }

  /// Looks into the object without counting the reference.
  @inline(__always)
  func with<Result: ~Copyable, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(reference._withUnsafeGuaranteedRef { $0 })
  }
}
