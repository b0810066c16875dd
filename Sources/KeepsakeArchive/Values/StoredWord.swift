/// A value of a fixed width that is stored as the bits of one word.
@usableFromInline
protocol StoredWord: LibraryValue {
  associatedtype Word: FixedWidthInteger & BitwiseCopyable

  /// The bits of the value.
  var archiveWord: Word { get }

  init(archiveWord: Word)

  /// Reads a value that is stored under another tag; the default throws.
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError)
}

extension StoredWord {
  @inlinable
  @inline(never)
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError) {
    throw coder.value.mismatch("a \(Self.storedTag)")
  }

  @inlinable
  @inline(__always)
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(archiveWord, tag: Self.storedTag, at: place)
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    if coder.value.tag == Self.storedTag, !coder.value.isNil {
      self.init(archiveWord: coder.word())
    } else {
      try self.init(converting: coder)
    }
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let word: Word = coder.fields.word(slot, tag: Self.storedTag) else { return nil }
    self.init(archiveWord: word)
  }
}
