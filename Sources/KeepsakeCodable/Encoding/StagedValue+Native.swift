#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

extension StagedValue {
  /// Stages a value of a type that has its own kind in the archive; nil for any other type.
  init?<Value>(native value: Value) {
    guard let kind = NativeKind(Value.self) else { return nil }
    self.init(value, kind)
  }

  /// Stages a value of a type that has its own kind in the archive.
  init<Value>(_ value: Value, _ kind: NativeKind) {
    switch kind {
    case .date:
      let date = identical(value, as: Date.self)
      self = .word(date.timeIntervalSinceReferenceDate.bitPattern, 0, .date)
    case .data: self = .bytes(Array(identical(value, as: Data.self)))
    case .url: self = .text(identical(value, as: URL.self).absoluteString, .url)
    case .uuid: self.init(identical(value, as: UUID.self))
    case .int128:
      self.init(UInt128(truncatingIfNeeded: identical(value, as: Int128.self)), .int128)
    case .uint128: self.init(identical(value, as: UInt128.self), .uint128)
    }
  }

  private init(_ bits: UInt128, _ tag: ArchiveTag) {
    self = .word(UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64), tag)
  }

  /// Stages an identifier, with its first byte in the lowest bits.
  private init(_ identifier: UUID) {
    let u = identifier.uuid
    let bytes = [
      u.15, u.14, u.13, u.12, u.11, u.10, u.9, u.8, u.7, u.6, u.5, u.4, u.3, u.2, u.1, u.0,
    ]
    self.init(bytes.reduce(0) { $0 << 8 | UInt128($1) }, .uuid)
  }
}
