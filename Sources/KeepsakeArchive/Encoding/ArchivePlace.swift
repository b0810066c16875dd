/// The place of a value: under a key, or next in an array.
///
/// An ``ArchiveValue`` gets one and hands it on unchanged.
public struct ArchivePlace {
  @usableFromInline
  enum Target {
    case key(ArchiveKey)
    case element
  }

  @usableFromInline var target: Target
  /// Whether the slot may hold nil, and what a nil means there.
  @usableFromInline var flags = NilFlags.none

  @inlinable
  init(_ target: Target) {
    self.target = target
  }

  @inlinable
  package static func key(_ key: ArchiveKey) -> ArchivePlace { ArchivePlace(.key(key)) }

  @inlinable
  package static var element: ArchivePlace { ArchivePlace(.element) }

  @inlinable var isNullable: Bool { flags.isNullable }

  /// The same place, for a value that could also have been nil.
  @inlinable package var nullable: ArchivePlace {
    var place = self
    place.flags = flags.union(.nullable)
    return place
  }

  /// The same place, for a value that would be left out if it were nil (Spec/archive.md, 5.3).
  @inlinable package var omittingNil: ArchivePlace {
    var place = self
    place.flags = .omitsNil
    return place
  }
}
