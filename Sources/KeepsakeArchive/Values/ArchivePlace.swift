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
  @usableFromInline var isNullable = false

  @inlinable
  init(_ target: Target) {
    self.target = target
  }

  @inlinable
  static func key(_ key: ArchiveKey) -> ArchivePlace { ArchivePlace(.key(key)) }

  @inlinable
  static var element: ArchivePlace { ArchivePlace(.element) }

  /// The same place, for a value that could also have been nil.
  @inlinable var nullable: ArchivePlace {
    var place = self
    place.isNullable = true
    return place
  }
}

/// Where an object has the value of one key.
///
/// An ``ArchiveValue`` gets one with the decoder of the object and hands both on to a type that
/// conforms. It belongs to that decoder and means nothing to another one.
public struct ArchiveSlot: Sendable {
  @usableFromInline let reference: RawReference<SlotRow>

  @inlinable
  init(_ reference: RawReference<SlotRow>) {
    self.reference = reference
  }

  @inlinable var row: SlotRow { reference.row }
}
