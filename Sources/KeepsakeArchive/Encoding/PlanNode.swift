/// One step of the order in which records of a type are written: a key with the tag of its value.
///
/// The steps form a tree below a root for each type. An object that writes the same keys as the one
/// before finds each next node by one comparison of words. A node fills a cache line.
@usableFromInline
struct PlanNode: BitwiseCopyable {
  /// The bits of the key; of a root, those of the type's name.
  @usableFromInline var identity: StringIdentity
  /// The scope, the tag and the flags of the step in one word; of a root, the version and what writes it.
  @usableFromInline var signature: UInt64
  /// The child that the last record went to, 0 for none.
  @usableFromInline var predicted: Int32 = 0
  /// Where the slot of the step lies in the record, or which of the ends is its own.
  @usableFromInline var offset: Int32
  /// The bytes of the record up to the end of this slot.
  @usableFromInline var byteCount: Int32
  /// The byte with the slot's nil bit, or 0.
  @usableFromInline var nilOffset: Int32
  /// How many payloads a record has that ends here.
  @usableFromInline var variableCount: Int32
  /// The number of the shape of a record that ends here, or -1 before the first.
  @usableFromInline var shape: Int32 = -1
  /// Of a root, where the payloads of the last record began.
  @usableFromInline var expectedTail: Int32
  /// Of a root, the root of the record that was begun after the last of its type.
  @usableFromInline var nextRoot: Int32 = 0
  @usableFromInline var nilMask: UInt8
  /// Whether the byte with the nil bits lies directly before this slot.
  @usableFromInline var opensNilByte: Bool

  init(
    identity: StringIdentity, signature: UInt64, placement: RecordLayout.Placement,
    layout: RecordLayout
  ) {
    self.identity = identity
    self.signature = signature
    offset = Int32(truncatingIfNeeded: placement.offset)
    byteCount = Int32(truncatingIfNeeded: layout.byteCount)
    nilOffset = Int32(truncatingIfNeeded: placement.nilOffset)
    variableCount = Int32(truncatingIfNeeded: layout.variableCount)
    expectedTail = Int32(truncatingIfNeeded: layout.byteCount)
    nilMask = placement.nilMask
    opensNilByte = placement.opensNilByte
  }

  /// The signature of a step that names the case of an enumeration and has no value.
  static let caseSignature: UInt64 = 4

  @inlinable
  static func signature(
    in frame: RecordFrame, tag: ArchiveTag, isNullable: Bool, isReserved: Bool
  ) -> UInt64 {
    frame.scopeAndDepth & 0xFFFF_FFFF_0000_0000 | UInt64(tag.rawValue) << 8
      | (isNullable ? 1 : 0) | (isReserved ? 2 : 0)
  }
}

/// What is needed of a node only when a record takes another way than the last.
struct PlanBranch: BitwiseCopyable {
  /// The layout of the record up to and with this step.
  var layout: RecordLayout
  /// The first of the children, each of which names the next, 0 for none.
  var firstChild: Int32 = 0
  var sibling: Int32 = 0
  /// How many children there are.
  var childCount: Int32 = 0
  var parent: Int32
  /// The step that records begin with which come here.
  var root: Int32
  var type: Int32
}
