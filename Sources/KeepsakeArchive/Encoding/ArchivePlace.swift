/// Where a value belongs: under a key, or next in an array.
///
/// An ``ArchiveValue`` gets one and hands it on unchanged.
public struct ArchivePlace {
  @usableFromInline
  enum Target {
    case key(ArchiveKey)
    case element
  }

  @usableFromInline var target: Target
  /// The flags of a slot as the plan has them: whether it may hold nil, and whether a nil means that there
  /// is no value.
  @usableFromInline var flags: UInt64 = 0

  @inlinable static var nullableFlag: UInt64 { 1 }
  @inlinable static var omitsNilFlag: UInt64 { 8 }

  @inlinable
  init(_ target: Target) {
    self.target = target
  }

  @inlinable
  static func key(_ key: ArchiveKey) -> ArchivePlace { ArchivePlace(.key(key)) }

  @inlinable
  static var element: ArchivePlace { ArchivePlace(.element) }

  @inlinable var isNullable: Bool { flags & ArchivePlace.nullableFlag != 0 }

  /// The same place, for a value that could also have been nil.
  @inlinable var nullable: ArchivePlace {
    var place = self
    place.flags |= ArchivePlace.nullableFlag
    return place
  }

  /// The same place, for a value that would be left out if it were nil (Spec/archive.md, 5.3).
  @inlinable var omittingNil: ArchivePlace {
    var place = self
    place.flags |= ArchivePlace.nullableFlag | ArchivePlace.omitsNilFlag
    return place
  }
}
