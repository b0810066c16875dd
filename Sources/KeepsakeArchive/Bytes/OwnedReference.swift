/// A counted reference to an object, or to none, of which nobody makes a copy.
///
/// To let go of none takes one comparison in place, where a property of the language takes a call:
/// decoders that are lent for every object have none.
@safe
@usableFromInline
struct OwnedReference: ~Copyable {
  @usableFromInline let pointer: UnsafeRawPointer?

  @inlinable
  init(_ object: AnyObject?) {
    guard let object else {
      unsafe pointer = nil
      return
    }
    unsafe pointer = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
  }

  @inlinable
  deinit {
    if let pointer = unsafe pointer { unsafe OwnedReference.release(pointer) }
  }

  @usableFromInline
  static func release(_ pointer: UnsafeRawPointer) {
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// The object.
  var object: AnyObject? {
    unsafe pointer.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }
}
