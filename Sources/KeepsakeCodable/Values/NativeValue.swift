#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// A value for which the archive has its own kind of value, and which is not stored through its `Codable` conformance.
protocol NativeValue: ArchiveValue {
  /// The words for such values in an error.
  static var kindName: String { get }

  static func isStored(in value: ValueView) -> Bool

  /// Writes the value as the value of a serial number; false when that is already written.
  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool

  // The same for generic code that knows the type by another name, as functions of each type.

  static func value<Value>(
    in value: ValueView, as type: Value.Type
  ) throws(ArchiveError) -> Value
  static func write<Value>(
    _ value: Value, to assembler: inout RecordAssembler, of serial: Int
  ) -> Bool
}

/// The kind of a type, nil for a type that is stored through its `Codable` conformance.
func nativeKind(_ type: Any.Type) -> (any NativeValue.Type)? {
  let kinds: [any NativeValue.Type] = [
    Date.self, Data.self, URL.self, UUID.self, Int128.self, UInt128.self,
  ]
  return kinds.first { $0 == type }
}

extension NativeValue {
  @inline(__always)
  static func value<Value>(
    in value: ValueView, as type: Value.Type
  ) throws(ArchiveError) -> Value {
    identical(try value.read(Self.self), as: type)
  }

  @inline(__always)
  static func write<Value>(
    _ value: Value, to assembler: inout RecordAssembler, of serial: Int
  ) -> Bool {
    identical(value, as: Self.self).write(to: &assembler, of: serial)
  }

  static func isStored(in value: ValueView) -> Bool { value.tag == archiveTag && !value.isNil }
}

extension NativeValue where Self: FixedWidthInteger {
  static var kindName: String { "an integer" }

  static func isStored(in value: ValueView) -> Bool { value.scalar?.isInteger == true }

  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    let (low, high) = (UInt64(truncatingIfNeeded: self), UInt64(truncatingIfNeeded: self >> 64))
    return assembler.set(low, high, Self.archiveTag, of: serial)
  }
}

extension Int128: NativeValue {}
extension UInt128: NativeValue {}

extension Date: NativeValue {
  static var kindName: String { "a date" }

  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(timeIntervalSinceReferenceDate.bitPattern, 0, .date, of: serial)
  }
}

extension Data: NativeValue {
  static var kindName: String { "a run of bytes" }

  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(Array(self), of: serial)
  }
}

extension URL: NativeValue {
  static var kindName: String { "a URL" }

  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(absoluteString, .url, of: serial)
  }
}

extension UUID: NativeValue {
  static var kindName: String { "a UUID" }

  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    let stored = ArchiveUUID(self)
    return assembler.set(stored.low, stored.high, .uuid, of: serial)
  }
}
