/// A number whose arrays lie in an archive as they lie in memory, so that they can be borrowed.
///
/// The integers of 8 to 64 bits and the floating-point numbers of this module conform, and no other
/// type can, not even `Int` and `UInt`, whose width in an archive depends on the values: borrowed bytes come from the archive, and any of them have to be a value of the type.
public protocol ArchiveScalar: ArchiveValue, BitwiseCopyable {
  /// What this module alone can make, for the types that may be borrowed.
  static var scalarWitness: ArchiveScalarWitness<Self> { get }
}

extension Int8: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Int8> { .init() }
}

extension Int16: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Int16> { .init() }
}

extension Int32: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Int32> { .init() }
}

extension Int64: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Int64> { .init() }
}

extension UInt8: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<UInt8> { .init() }
}

extension UInt16: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<UInt16> { .init() }
}

extension UInt32: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<UInt32> { .init() }
}

extension UInt64: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<UInt64> { .init() }
}

extension Float: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Float> { .init() }
}

extension Double: ArchiveScalar {
  /// Any bytes of the width are a number.
  public static var scalarWitness: ArchiveScalarWitness<Double> { .init() }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchiveScalar {
    /// Any bytes of the width are a number.
    public static var scalarWitness: ArchiveScalarWitness<Float16> { .init() }
  }
#endif

/// Says of a type that any bytes of its width are a value of it.
///
/// Only the types of KeepsakeArchive have one.
public struct ArchiveScalarWitness<Scalar>: Sendable {
  init() {}
}
