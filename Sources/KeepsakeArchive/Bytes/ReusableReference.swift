/// Keeps a value that is nothing but a reference to an object, to hand it out again when nobody else
/// has it any more.
///
/// For wrappers of the standard library whose making costs more than what is done with them.
@usableFromInline
package class ReusableReference {
  /// Optional, since a plain existential is copied to be asked whether it is the only one.
  ///
  /// No access can overlap another one, since none calls anybody's code.
  @exclusivity(unchecked) fileprivate var object: AnyObject?

  /// Whether values of such a type are one reference, as a value of the type shows.
  package static func isReference<Value>(_ value: Value) -> Bool {
    let parts = Mirror(reflecting: value).children
    return MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size && parts.count == 1
      && parts.allSatisfy { type(of: $0.value) is AnyClass }
  }

  fileprivate init(_ object: AnyObject) {
    unsafe self.object = object
  }

  /// Keeps a value, whose type ``isReference(_:)`` has been asked about.
  package static func keeping<Value>(_ value: Value) -> ReusableReference {
    ReferenceOfType<Value>(unsafe unsafeBitCast(value, to: AnyObject.self))
  }

  /// Whether nobody else has the value.
  package final var isFree: Bool { unsafe isKnownUniquelyReferenced(&object) }

  /// The value, whose type has to be that of the value kept.
  ///
  /// In the caller, whose generic code would look the type up in the runtime to hand it over. The object knows it.
  @inlinable
  @inline(__always)
  package final func value<Value>(as type: Value.Type) -> Value {
    unsafe unsafeDowncast(self, to: ReferenceOfType<Value>.self).value
  }
}

/// Keeps a value of a type that is known without asking for it.
@usableFromInline
final class ReferenceOfType<Value>: ReusableReference {
  @inline(never)
  @usableFromInline var value: Value {
    unsafe unsafeBitCast(object, to: Value.self)
  }
}

/// The same value as the type that it is of, for generic code that knows the type by another name.
///
/// A cast would look both types up, which takes longer than to read a small value.
package func identical<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self)
  return unsafe unsafeBitCast(value, to: type)
}

/// Whether a type is an optional, as the first word of what the runtime keeps of it says.
///
/// To ask for a conformance by a cast would take some ten microseconds of the first value of any other type. Where
/// that word is another one, no type is taken for an optional.
package func isOptional<Value>(_ type: Value.Type) -> Bool {
  unsafe unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self).pointee == 0x202
}
