/// A pointer to one row of a table that no longer changes, which ``ArchiveStorage`` keeps alive.
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

/// A counted reference to an object or nil, which cannot be copied.
///
/// Releasing an empty reference is an inline comparison; an optional property would need a call. Each object is read
/// through a borrowed decoder, which has an empty reference.
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

  var object: AnyObject? {
    unsafe pointer.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// An uncounted reference to an object that another owner keeps alive.
///
/// A decoder that is borrowed for a call uses it for objects that its lender keeps alive. A decoder that may be kept
/// has a counted reference beside this one.
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
  package var object: Object {
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

/// A counted reference to an object that never changes, used without another retain.
///
/// A property with the object itself would be retained for each call of one of its methods.
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

/// Keeps a value that consists of one reference, to use it again when it has no other owner.
///
/// It is meant for wrappers of the standard library that take longer to make than to use.
@usableFromInline
package class ReusableReference {
  /// The reference is optional, since the check for a unique reference would copy a plain existential.
  ///
  /// No access can overlap another one, since none calls other code.
  @exclusivity(unchecked) fileprivate var object: AnyObject?

  /// Whether the values of a type consist of one reference, judged by one of them.
  package static func isReference<Value>(_ value: Value) -> Bool {
    let parts = Mirror(reflecting: value).children
    return MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size && parts.count == 1
      && parts.allSatisfy { type(of: $0.value) is AnyClass }
  }

  fileprivate init(_ object: AnyObject) {
    unsafe self.object = object
  }

  /// Keeps a value that consists of one reference (``isReference(_:)``).
  package static func keeping<Value>(_ value: Value) -> ReusableReference {
    ReferenceOfType<Value>(unsafe unsafeBitCast(value, to: AnyObject.self))
  }

  /// True when the value has no other owner.
  package final var isFree: Bool { unsafe isKnownUniquelyReferenced(&object) }

  /// The value; `type` must be the type of the value.
  ///
  /// It is inlined into the caller: otherwise generic code would look up the type in the runtime to pass it. The
  /// object knows its type.
  @inlinable
  @inline(__always)
  package final func value<Value>(as type: Value.Type) -> Value {
    unsafe unsafeDowncast(self, to: ReferenceOfType<Value>.self).value
  }
}

/// Keeps a value, with its type known to the object.
@usableFromInline
final class ReferenceOfType<Value>: ReusableReference {
  @inline(never)
  @usableFromInline var value: Value {
    unsafe unsafeBitCast(object, to: Value.self)
  }
}

/// Returns a value as `Same`, which must be its type, for generic code that knows this type by another name.
///
/// A cast would look up both types, which takes longer than to read a small value.
package func identical<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self)
  return unsafe unsafeBitCast(value, to: type)
}

/// Whether a type is an optional, read from the first word of the type's metadata in the runtime.
///
/// A cast to a protocol would take some ten microseconds for the first value of every other type. If a runtime uses
/// another word, no type counts as an optional.
package func isOptional<Value>(_ type: Value.Type) -> Bool {
  unsafe unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self).pointee == 0x202
}
