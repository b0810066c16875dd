extension Bool: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .bool }

  @inlinable
  @inline(__always)
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeBit(self, tag: .bool, at: place)
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.bool()
  }

  @usableFromInline
  static func writeElements(
    _ elements: [Bool], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: .bool, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Bool] {
    let elements = try coder.value.storedElements()
    guard elements.tag == .bool, elements.nilBits == 0
    else { return try coder.values(of: elements) }
    return coder.value.view.bits(at: elements.slots, count: elements.count)
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let bit = coder.fields.bit(slot, tag: .bool) else { return nil }
    self = bit
  }
}

extension String: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .string }

  @inlinable
  @inline(__always)
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeText(self, tag: .string, at: place)
  }

  @usableFromInline
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.value.require(.string, for: "a string")
    self = try coder.text()
  }

  @usableFromInline
  static func writeElements(
    _ elements: [String], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeTexts(elements, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [String] {
    let elements = try coder.value.storedElements()
    guard elements.tag == .string else { return try coder.values(of: elements) }
    return try elements.map { index throws(ArchiveError) in
      let range = elements.range(of: index, coder.value.view)
      guard let text = coder.value.view.string(range) else { throw ArchiveError.badText(range) }
      return text
    }
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let text = coder.fields.text(slot) else { return nil }
    self = text
  }
}
