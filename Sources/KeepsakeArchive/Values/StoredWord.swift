/// A value of a fixed width that is stored as the bits of one word.
@usableFromInline
protocol StoredWord: ArchiveValue {
  associatedtype Word: FixedWidthInteger & BitwiseCopyable

  /// The bits of the value.
  var archiveWord: Word { get }

  init(archiveWord: Word)

  /// Reads a value that is stored under another tag, or throws.
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError)
}

extension StoredWord {
  /// Writes the bits of the value.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(archiveWord, tag: Self.archiveTag, at: place)
  }

  /// Reads the bits of a value, or a value under another tag that the type can read.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    if coder.value.tag == Self.archiveTag, !coder.value.isNil {
      self.init(archiveWord: coder.word())
    } else {
      try self.init(converting: coder)
    }
  }

  /// Reads the bits of a value out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let word: Word = coder.fields.word(slot, tag: Self.archiveTag) else { return nil }
    self.init(archiveWord: word)
  }
}
