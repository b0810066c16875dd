/// A number whose arrays are stored in an archive as they are in memory, so that they can be borrowed.
///
/// The integers of 8 to 64 bits and the floating-point numbers of this module conform, and no other type can:
/// borrowed bytes are those of the archive, so any bytes must be a value of the type. `Int` and `UInt` do not
/// conform, since their width in an archive depends on the values.
public protocol ArchiveScalar: ArchiveValue, BitwiseCopyable {
  /// A witness that this module alone can make, for the types that may be borrowed.
  static var scalarWitness: ArchiveScalarWitness<Self> { get }
}

/// The number types of this module for which any bytes of their width are a value.
package protocol BorrowableNumber {}

extension BorrowableNumber {
  /// A witness that no type outside of this package can make.
  public static var scalarWitness: ArchiveScalarWitness<Self> { .init() }
}

extension Int8: ArchiveScalar, BorrowableNumber {}
extension Int16: ArchiveScalar, BorrowableNumber {}
extension Int32: ArchiveScalar, BorrowableNumber {}
extension Int64: ArchiveScalar, BorrowableNumber {}
extension UInt8: ArchiveScalar, BorrowableNumber {}
extension UInt16: ArchiveScalar, BorrowableNumber {}
extension UInt32: ArchiveScalar, BorrowableNumber {}
extension UInt64: ArchiveScalar, BorrowableNumber {}
extension Float: ArchiveScalar, BorrowableNumber {}
extension Double: ArchiveScalar, BorrowableNumber {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchiveScalar, BorrowableNumber {}
#endif

/// Proves that any bytes of the width of a type are a value of the type.
///
/// Only the types of KeepsakeArchive have one.
public struct ArchiveScalarWitness<Scalar>: Sendable {
  init() {}
}
