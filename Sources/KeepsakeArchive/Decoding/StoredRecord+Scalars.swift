// Single values of exactly the kind that is asked for, which most are: others are read as a
// ``StoredValue`` and converted.

extension StoredRecord {
  /// The bits of a value of up to 64 bits; nil when there is none under the key or one of another
  /// tag.
  package func bits(_ tag: ArchiveTag, forKey name: String) -> UInt64? {
    guard let row = slot(forKey: name)?.row, row.tag == tag, !isNil(row) else { return nil }
    return storage.with { $0.view.scalar(tag, at: record.start &+ Int(row.placement.offset)).low }
  }

  /// The string under a key; nil when there is none, or one that is not well-formed.
  package func text(forKey name: String) -> String? {
    guard let row = slot(forKey: name)?.row, row.tag == .string, !isNil(row) else { return nil }
    return storage.with { storage in
      let view = storage.view
      return view.string(record.payload(row.placement, view))
    }
  }

  /// Whether there is a value or a nil under a key.
  package func contains(_ name: String) -> Bool { slot(forKey: name) != nil }

  /// Whether a nil is stored under a key; nil when there is nothing.
  package func isNil(forKey name: String) -> Bool? {
    slot(forKey: name).map { $0.row.tag == .null || isNil($0.row) }
  }

  @inline(__always)
  private func slot(forKey name: String) -> ArchiveSlot? {
    lend { $0.slot(of: ArchiveKey(name)) }
  }

  @inline(__always)
  private func isNil(_ row: SlotRow) -> Bool {
    storage.with { row.isNil($0.view, recordAt: record.start) }
  }
}

extension StoredArray {
  /// The bits of an element of up to 64 bits; nil for one of another tag.
  ///
  /// The index has to be smaller than the count.
  package func bits(_ tag: ArchiveTag, at index: Int) -> UInt64? {
    guard elements.tag == tag, !isNil(at: index) else { return nil }
    return storage.with { $0.view.scalar(tag, at: elements.slots &+ index &* tag.byteCount).low }
  }

  /// Whether an element is nil.
  ///
  /// The index has to be smaller than the count.
  package func isNil(at index: Int) -> Bool {
    if elements.tag == .any { return storage.with { elements.tag(of: index, $0.view) == .null } }
    return storage.with { elements.isNil(index, $0.view) }
  }

  /// The string at an index; nil for an element of another tag, or one that is not well-formed.
  package func text(at index: Int) -> String? {
    guard elements.tag == .string, !isNil(at: index) else { return nil }
    return storage.with { $0.view.string(elements.range(of: index, .string, $0.view)) }
  }

  /// All elements, if they are such numbers as they lie in memory.
  package func scalars<Scalar: BitwiseCopyable>(
    _ type: Scalar.Type, _ tag: ArchiveTag
  ) -> [Scalar]? {
    guard elements.tag == tag, elements.nilBits == 0 else { return elements.count == 0 ? [] : nil }
    return storage.with { $0.view.scalars(type, elements.slotRange) }
  }

  /// All elements, if they are well-formed strings.
  package func texts() -> [String]? {
    var texts: [String] = []
    texts.reserveCapacity(elements.initialCapacity)
    for index in 0..<count {
      guard let text = text(at: index) else { return nil }
      texts.append(text)
    }
    return texts
  }
}
