/// A number whose arrays lie in an archive as they lie in memory, so that they can be borrowed.
///
/// The integers up to 64 bits and the floating-point numbers of this module conform.
public protocol ArchiveScalar: ArchiveValue, BitwiseCopyable {}

extension Int8: ArchiveScalar {}
extension Int16: ArchiveScalar {}
extension Int32: ArchiveScalar {}
extension Int64: ArchiveScalar {}
extension UInt8: ArchiveScalar {}
extension UInt16: ArchiveScalar {}
extension UInt32: ArchiveScalar {}
extension UInt64: ArchiveScalar {}
extension Float: ArchiveScalar {}
extension Double: ArchiveScalar {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchiveScalar {}
#endif
#if _pointerBitWidth(_64)
  extension Int: ArchiveScalar {}
  extension UInt: ArchiveScalar {}
#endif
