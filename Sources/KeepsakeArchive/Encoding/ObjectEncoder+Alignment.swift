// Arrays of numbers are aligned where they are written. A record whose slots take more or less room
// than was kept for them moves its payloads, and with them the arrays in them: these are aligned anew
// when the object is complete, which changes no other byte (Spec/archive.md, 5.5).

extension ObjectEncoder {
  /// Remembers that payloads are moved.
  mutating func noteMove(by distance: Int) {
    if hasAligned, distance & 7 != 0 { isMisaligned = true }
  }

  /// Aligns all arrays of numbers in a record that is complete.
  mutating func align(recordAt start: Int) {
    align([(.record, start..<bytes.count)])
  }

  private mutating func align(_ payloads: [(tag: ArchiveTag, range: Range<Int>)]) {
    for (tag, range) in payloads where !range.isEmpty {
      switch tag {
      case .record, .enumeration: align(bytes.payloads(ofRecordIn: range, tables))
      case .dictionary:
        let middle = range.lowerBound + 4 + Int(bytes.load(UInt32.self, at: range.lowerBound))
        align([(.array, range.lowerBound + 4..<middle), (.array, middle..<range.upperBound)])
      case .array, .set:
        bytes.align(arrayIn: range)
        align(bytes.payloads(ofArrayIn: range))
      default: break
      }
    }
  }
}

extension ByteBuffer {
  /// Where the payloads lie of a record that is complete.
  fileprivate func payloads(
    ofRecordIn range: Range<Int>, _ tables: borrowing WriterTables
  ) -> [(tag: ArchiveTag, range: Range<Int>)] {
    let head = RecordHead(load(UInt32.self, at: range.lowerBound))
    var layout = RecordLayout()
    var tags: [ArchiveTag] = []
    for slot in tables.shapes[head.shape].slots {
      _ = layout.add(slot.tag, isNullable: slot.isNullable)
      if slot.tag.isVariable { tags.append(slot.tag) }
    }
    return payloads(tags, at: range.lowerBound + Int(layout.byteCount), width: head.endWidth)
  }

  /// Where the payloads of a record lie whose ends begin at an offset.
  func payloads(
    _ tags: [ArchiveTag], at ends: Int, width: UInt32
  ) -> [(tag: ArchiveTag, range: Range<Int>)] {
    let tail = ends + tags.count << Int(width)
    var last = tail
    return tags.enumerated().map { index, tag in
      let first = last
      last = tail + end(index, width: width, at: ends)
      return (tag, first..<last)
    }
  }

  /// Where the payloads lie of the elements of an array; none of elements that contain no others.
  func payloads(
    ofArrayIn range: Range<Int>
  ) -> [(tag: ArchiveTag, range: Range<Int>)] {
    let start = range.lowerBound
    let (tag, isNullable, _) = arrayHeader(at: start)
    guard tag == .any || tag.isContainer else { return [] }
    let count = Int(load(UInt32.self, at: start + 4))
    let tags = start + FormatConstants.arrayHeaderByteCount
    let slots = tag == .any ? tags + count : tags
    let tail = slots + count * 4 + (isNullable ? (count + 7) / 8 : 0)
    var last = tail
    return (0..<count).map { index in
      let first = last
      last = tail + Int(load(UInt32.self, at: slots + index * 4))
      let element = tag == .any ? ArchiveTag(rawValue: load(UInt8.self, at: tags + index)) : tag
      return (element, first..<last)
    }
  }
}
