/// The keys of a dictionary or the members of a set, in their order and none twice (Spec/archive.md, 5.6).
package enum SortedMembers {
  case texts([String])
  /// Integers of one tag, each in the lowest bits.
  case integers([UInt64], ArchiveTag)
  case members([EncodedMember])

  var count: Int {
    switch self {
    case .texts(let texts): texts.count
    case .integers(let integers, _): integers.count
    case .members(let members): members.count
    }
  }
}

/// A key of a dictionary, a member of a set, or another value that contains no others.
package struct EncodedMember: Hashable, Sendable {
  /// The tag that the value is stored with; `null` for a nil.
  package var tag: ArchiveTag
  /// The bytes of its slot or its payload.
  package var bytes: [UInt8]

  package init(tag: ArchiveTag, bytes: [UInt8]) {
    self.tag = tag
    self.bytes = bytes
  }

  /// Whether a value comes before another one: by the tag, then by the bytes (Spec/archive.md, 5.6).
  package static func precedes(_ left: EncodedMember, _ right: EncodedMember) -> Bool {
    left.tag == right.tag
      ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.tag.rawValue < right.tag.rawValue
  }
}

extension SortedMembers {
  /// Writes the keys or members as the payload of an array.
  func append(to encoder: inout ObjectEncoder) {
    if case .texts(let texts) = self { return encoder.append(texts: texts) }
    let outer = encoder.beginElements(count: count, slot: ObjectEncoder.noSlot)
    switch self {
    case .texts: break
    case .integers(let integers, let tag):
      for bits in integers { encoder.encode(StoredScalar(tag, low: bits), at: .element) }
    case .members(let members):
      for member in members {
        if member.tag.isVariable {
          encoder.encodePayload(member.bytes.span, tag: member.tag, at: .element)
        } else {
          encoder.encode(StoredScalar(member.tag, ofBytes: member.bytes), at: .element)
        }
      }
    }
    encoder.finishElements()
    encoder.leaveElements(outer)
  }
}
