/// A pointer to one row of a table that no longer changes.
///
/// It does not keep the table alive: ``ArchiveStorage`` does.
@safe
@usableFromInline
package struct RawReference<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Row>

  @inlinable
  init(_ pointer: UnsafePointer<Row>) {
    unsafe self.pointer = pointer
  }

  @inlinable package var row: Row { unsafe pointer.pointee }
}

/// A counted reference to an object, or to none, that cannot be copied.
///
/// The release of an empty one is an inline comparison, where an optional property would need a call; decoders that
/// are borrowed for each object have an empty one.
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

/// An uncounted reference to an object that another owner keeps alive.
///
/// Decoders that are borrowed for a call refer with it to the objects that they share; the lender keeps these alive.
/// Decoders that are given away hold a counted reference beside this one.
@safe
@usableFromInline
package struct BorrowedReference<Object: AnyObject>: BitwiseCopyable {
  @usableFromInline let reference: Unmanaged<Object>

  /// Refers to an object that the caller keeps alive for as long as anything uses the reference.
  @unsafe
  init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// The object, as a counted reference.
  var object: Object {
    unsafe reference.takeUnretainedValue()
  }

  /// Passes the object to a closure without counting the reference.
  @inlinable
  @inline(__always)
  package func with<Result: ~Copyable, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(reference._withUnsafeGuaranteedRef { $0 })
  }
}

/// A counted reference to an object that never changes, which is read without counting it once more.
///
/// A property that holds the object itself would be counted for each call of one of its methods.
@safe
@usableFromInline
package struct ConstantReference<Object: AnyObject> {
  @usableFromInline let reference: BorrowedReference<Object>
  private let owner: Object

  package init(_ object: Object) {
    owner = object
    unsafe reference = BorrowedReference(object)
  }

  /// Passes the object to a closure; the caller keeps the owner of this reference alive meanwhile.
  @inlinable
  @inline(__always)
  package func with<Result, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try reference.with(body)
  }
}
