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
