/// One step of the order in which records of a type are written: a key with the tag of its value.
///
/// The steps form a tree below a root for each type. An object that writes the same keys as the one
/// before finds each next node by one comparison of words.
@usableFromInline
struct PlanNode: BitwiseCopyable {
  /// The bits of the key; of a root, those of the type's name.
  @usableFromInline var identity: StringIdentity
  /// The scope, the tag and the flags of the step in one word; of a root, the version.
  @usableFromInline var signature: UInt64
  /// Where the slot of the step lies in the record.
  @usableFromInline var placement: RecordLayout.Placement
  /// The layout of the record up to and with this step.
  @usableFromInline var layout: RecordLayout
  /// The child that the last record went to, 0 for none.
  @usableFromInline var predicted: Int32 = 0
  /// The number of the shape of a record that ends here, or -1 before the first.
  @usableFromInline var shape: Int32 = -1
  /// Of a root, where the payloads of the last record began.
  @usableFromInline var expectedTail = Int32(FormatConstants.recordHeaderByteCount)
  /// Of a root, the root of the record that was begun after the last of its type.
  @usableFromInline var nextRoot: Int32 = 0
  /// The first of the children, each of which names the next, 0 for none.
  var firstChild: Int32 = 0
  var sibling: Int32 = 0
  /// How many children there are.
  var childCount: Int32 = 0
  var parent: Int32
  var type: Int32

  /// The signature of a step that names the case of an enumeration and has no value.
  static let caseSignature: UInt64 = 4

  @inlinable
  static func signature(
    scope: Int32, tag: ArchiveTag, isNullable: Bool, isReserved: Bool
  ) -> UInt64 {
    UInt64(UInt32(bitPattern: scope)) << 32 | UInt64(tag.rawValue) << 8
      | (isNullable ? 1 : 0) | (isReserved ? 2 : 0)
  }
}
