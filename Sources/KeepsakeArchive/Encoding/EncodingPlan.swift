/// The orders in which records have written their keys.
///
/// The plan is a tree of steps below a root for each type. A record with the same keys as the previous record finds
/// each step by one comparison of words. The plan never changes the bytes that are written.
@usableFromInline
struct EncodingPlan: ~Copyable, Sendable {
  struct Scope: Hashable {
    var parent: Int32
    var key: ArchiveKey
    var depth: Int
  }

  private struct RootKey: Hashable {
    var type: TypeEntry
    var writer: UInt32
  }

  /// The number of a step's children that are compared one by one; later children are found by a hash.
  private static let linkedChildCount: Int32 = 8
  /// The number of roots that are compared one by one; later roots are found by a hash.
  private static let comparedRootCount = 16

  /// The sentinel for no root and no step; the rows at this index match no record.
  @usableFromInline static var none: Int { 0 }

  @usableFromInline var steps: RawTable<PlanStep>
  var branches: RawTable<PlanBranch>
  @usableFromInline var roots: RawTable<PlanRoot>
  /// The key of each step; it keeps the string alive whose bits the step compares.
  private(set) var keys: [ArchiveKey] = []
  private(set) var scopes = NumberedTable<Scope>()
  /// The last steps of inline records; signatures number these records from 1.
  private var inlineRecords: [Int32] = []
  /// The type of each root; it keeps the name alive whose bits the root compares.
  private var types: [TypeEntry] = []
  /// The children of all steps beyond ``linkedChildCount``, which are found by a hash.
  private var laterChildren = HashIndex()
  /// The roots beyond ``comparedRootCount``, which are found by a hash.
  private var laterRoots: [RootKey: Int32] = [:]
  private(set) var nameByteCount = 0
  /// The layouts of the records that a ``RecordAssembler`` writes.
  var assembly = AssemblyPlan()

  /// An empty plan without memory, which cannot be used for writing.
  init() {
    steps = RawTable(capacity: 0)
    branches = RawTable(capacity: 0)
    roots = RawTable(capacity: 0)
  }

  init(capacity: Int) {
    steps = RawTable(capacity: capacity)
    branches = RawTable(capacity: capacity)
    roots = RawTable(capacity: 16)
    keys.reserveCapacity(capacity)
    types.reserveCapacity(16)
    appendFirstStep(ofRoot: EncodingPlan.none)
    roots.append(PlanRoot(typeName: StringIdentity(), version: .max, writer: .max, firstStep: 0))
    types.append(TypeEntry(name: "", schemaVersion: .max))
  }

  // MARK: Roots

  /// The root of the records of a type.
  ///
  /// Types without a name share the empty name. `writer`, a number for the Swift type, distinguishes them. It
  /// does not change what is written.
  @inline(never)
  mutating func root(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Int {
    let identity = StringIdentity(typeName)
    for number in 1..<min(roots.count, EncodingPlan.comparedRootCount + 1) {
      let root = roots[number]
      if root.version == schemaVersion, root.writer == writer,
        root.typeName == identity || types[number].name.hasSameBytes(as: typeName)
      {
        return number
      }
    }
    let type = TypeEntry(name: typeName, schemaVersion: schemaVersion)
    let key = RootKey(type: type, writer: writer)
    let number = roots.count
    if number > EncodingPlan.comparedRootCount {
      if let known = laterRoots[key] { return Int(known) }
      laterRoots[key] = Int32(number)
    }
    let firstStep = appendFirstStep(ofRoot: number)
    roots.append(
      PlanRoot(typeName: identity, version: schemaVersion, writer: writer, firstStep: firstStep))
    types.append(type)
    nameByteCount += typeName.utf8.count
    return number
  }

  @inline(__always)
  func root(of step: Int) -> Int { Int(branches[step].root) }

  func type(of step: Int) -> TypeEntry { types[root(of: step)] }

  /// The step of a record that has no keys yet.
  func firstStep(of step: Int) -> Int { Int(roots[root(of: step)].firstStep) }

  /// Remembers the offset of a record's payloads, for the next record of its type.
  mutating func expectTail(_ offset: Int, of step: Int) {
    roots[root(of: step)].expectedTail = Int32(clamping: offset)
  }

  // MARK: Steps

  @discardableResult
  private mutating func appendFirstStep(ofRoot root: Int) -> Int32 {
    var layout = RecordLayout()
    let placement = layout.add(.null, isNullable: false)
    return append(
      PlanStep(
        identity: StringIdentity(), signature: .noStep, placement: placement, layout: layout),
      PlanBranch(layout: layout, wordCount: 0, parent: 0, root: Int32(root)), ArchiveKey(""))
  }

  private mutating func append(
    _ step: PlanStep, _ branch: PlanBranch, _ key: ArchiveKey
  ) -> Int32 {
    steps.append(step)
    branches.append(branch)
    keys.append(key)
    return Int32(steps.count - 1)
  }

  /// The step after another one, found or made when the prediction was a miss.
  ///
  /// The result is nil when the record would have more words than a shape can have. So all numbers in the steps of a
  /// plan fit their fields.
  @inline(never)
  mutating func advance(from step: Int, key: ArchiveKey, signature: StepSignature) -> Int? {
    guard let next = child(of: Int32(step), key: key, signature: signature) else { return nil }
    steps[step].predicted = next
    return Int(next)
  }

  private mutating func child(
    of parent: Int32, key: ArchiveKey, signature: StepSignature
  ) -> Int32? {
    let identity = StringIdentity(key.name)
    var candidate = branches[Int(parent)].firstChild
    while candidate != EncodingPlan.none {
      let step = steps[Int(candidate)]
      if step.signature == signature,
        step.identity == identity || keys[Int(candidate)].name.hasSameBytes(as: key.name)
      {
        return candidate
      }
      candidate = branches[Int(candidate)].sibling
    }
    var hash: Int?
    if branches[Int(parent)].childCount >= EncodingPlan.linkedChildCount {
      let laterHash = Self.hash(ofChildOf: parent, key, signature)
      if let known = laterChild(of: parent, key, signature, laterHash) { return known }
      hash = laterHash
    }
    let wordCount = Int(branches[Int(parent)].wordCount + signature.wordCount)
    if wordCount > ShapeEntry.largestWordCount { return nil }
    let next = makeChild(of: parent, key: key, identity: identity, signature: signature)
    if let hash {
      laterChildren.add(Int(next), hash)
    } else {
      branches[Int(next)].sibling = branches[Int(parent)].firstChild
      branches[Int(parent)].firstChild = next
    }
    return next
  }

  private func laterChild(
    of parent: Int32, _ key: ArchiveKey, _ signature: StepSignature, _ hash: Int
  ) -> Int32? {
    laterChildren.number(hash) {
      branches[$0].parent == parent && steps[$0].signature == signature
        && keys[$0].name.hasSameBytes(as: key.name)
    }.map { Int32($0) }
  }

  private static func hash(
    ofChildOf parent: Int32, _ key: ArchiveKey, _ signature: StepSignature
  ) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(signature)
    key.name.hashBytes(into: &hasher)
    return hasher.finalize()
  }

  private mutating func makeChild(
    of number: Int32, key: ArchiveKey, identity: StringIdentity, signature: StepSignature
  ) -> Int32 {
    let parent = branches[Int(number)]
    var layout = parent.layout
    let placement =
      signature.isInline
      ? layout.add(inline: branches[lastStep(ofInline: signature.inlineRecord)].layout)
      : layout.add(signature.tag, isNullable: signature.isNullable)
    if signature.isReserved { layout.hasReservedKey = true }
    let next = append(
      PlanStep(identity: identity, signature: signature, placement: placement, layout: layout),
      PlanBranch(
        layout: layout, wordCount: parent.wordCount + signature.wordCount, parent: number,
        root: parent.root),
      key)
    nameByteCount += key.name.utf8.count
    branches[Int(number)].childCount += 1
    return next
  }

  /// True when one of the steps up to a step writes a key with this name.
  func hasStep(_ name: String, upTo step: Int) -> Bool {
    let identity = StringIdentity(name)
    var index = step
    while branches[index].parent != EncodingPlan.none {
      if steps[index].identity == identity || keys[index].name.hasSameBytes(as: name) {
        return true
      }
      index = Int(branches[index].parent)
    }
    return false
  }

  /// The steps of a record up to a step, in the order in which they were taken.
  func steps(to step: Int) -> [Int] {
    var path: [Int] = []
    path.reserveCapacity(32)
    var index = step
    while branches[index].parent != EncodingPlan.none {
      path.append(index)
      index = Int(branches[index].parent)
    }
    path.reverse()
    return path
  }

  // MARK: Inline records

  /// Gives inline records that end at a step a signature number; ``StepSignature/noInlineRecord`` if all are taken.
  @inline(never)
  @usableFromInline
  mutating func makeInlineRecord(endingAt step: Int) -> UInt16 {
    guard inlineRecords.count + 1 < Int(UInt16.max) else { return StepSignature.noInlineRecord }
    inlineRecords.append(Int32(step))
    steps[step].inlineRecord = UInt16(inlineRecords.count)
    return steps[step].inlineRecord
  }

  @inline(__always)
  func lastStep(ofInline number: UInt16) -> Int { Int(inlineRecords[Int(number) - 1]) }

  // MARK: Scopes

  mutating func scope(named name: String, in parent: Int32) -> Int32 {
    let depth = parent == ScopeNumber.top ? 1 : scopes.entries[Int(parent)].depth + 1
    let count = scopes.count
    let number = scopes.number(of: Scope(parent: parent, key: ArchiveKey(name), depth: depth))
    if number == count { nameByteCount += name.utf8.count }
    return Int32(number)
  }

  /// The names of a scope and of the scopes around it, the outermost first.
  func names(of scope: Int32) -> [String] {
    var names: [String] = []
    var index = scope
    while index != ScopeNumber.top {
      names.append(scopes.entries[Int(index)].key.name)
      index = scopes.entries[Int(index)].parent
    }
    names.reverse()
    return names
  }
}

/// The records of one type, as one Swift type writes them.
@usableFromInline
struct PlanRoot: BitwiseCopyable, Sendable {
  @usableFromInline var typeName: StringIdentity
  @usableFromInline var version: UInt32
  @usableFromInline var writer: UInt32
  /// The step of a record that has no keys yet.
  @usableFromInline var firstStep: Int32
  /// The offset of the payloads in the last record, from the start of the record.
  @usableFromInline var expectedTail: Int32 = 0
  /// True when the integers of the last record needed 64 bits.
  @usableFromInline var isWide = false

  /// True when this is the root of the records of a type.
  @inlinable
  @inline(__always)
  func matches(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Bool {
    version == schemaVersion && self.writer == writer && self.typeName == StringIdentity(typeName)
  }
}

/// One step of the order in which records of a type are written: a key with the storage of its value.
///
/// The first step of a root writes nothing. A step fills a cache line.
@usableFromInline
struct PlanStep: BitwiseCopyable, Sendable {
  @usableFromInline var identity: StringIdentity
  @usableFromInline var signature: StepSignature
  /// The step that the last record took next, or ``EncodingPlan/none``.
  @usableFromInline var predicted: Int32 = 0
  /// The offset of the slot from the start of the body; a variable value has no slot.
  @usableFromInline var slotOffset: Int32
  /// The number of bytes of the record up to the end of this slot.
  @usableFromInline var byteCount: Int32
  /// The offset of the byte with the slot's nil bit, if the slot may hold nil.
  @usableFromInline var nilOffset: Int32
  /// The number of payloads of a record that ends here.
  @usableFromInline var variableCount: UInt16
  /// The number in signatures of inline records that end here; ``StepSignature/noInlineRecord`` until the first of them
  /// is stored in a slot.
  @usableFromInline var inlineRecord = StepSignature.noInlineRecord
  /// The shape of a record that ends here; ``OptionalShape/none`` until the archive has such a record.
  @usableFromInline var shape = OptionalShape.none
  /// The root of the record that was begun last under the key after this step, or ``EncodingPlan/none``.
  @usableFromInline var nextRoot: Int32 = 0
  /// The root of the last record among the elements of the value, or ``EncodingPlan/none``.
  @usableFromInline var elementRoot: Int32 = 0
  @usableFromInline var nilMask: UInt8
  /// The bit of a `Bool`, in the byte at the offset of the slot.
  @usableFromInline var bit: UInt8
  /// True when a record that ends here is a cell (Spec/archive.md, 4.3).
  @usableFromInline var isCell: Bool
  /// The byte of bits that begins with this value, or ``noByte``.
  @usableFromInline var openedByte: Int32

  /// The value of ``openedByte`` when no byte of bits begins with the value.
  @inlinable static var noByte: Int32 { -1 }

  init(
    identity: StringIdentity, signature: StepSignature, placement: RecordLayout.Placement,
    layout: RecordLayout
  ) {
    self.identity = identity
    self.signature = signature
    // All of these fit: a record has 65,535 words at most (`advance`), of which a cell of 65,535 bytes takes two
    // and a payload one.
    slotOffset = signature.isInline || !signature.isVariable ? Int32(placement.offset) : 0
    byteCount = Int32(layout.byteCount)
    nilOffset = Int32(placement.nilOffset)
    variableCount = UInt16(layout.variableCount)
    nilMask = placement.nilMask
    bit = placement.bit
    isCell = layout.isCell
    openedByte = placement.openedByte
  }

  /// The number of payload ends that are stored: one for each payload except the last.
  @inlinable var endCount: Int { Int(variableCount) &- (variableCount > 0 ? 1 : 0) }
}

/// The part of a step that is read only when a record writes other keys than the previous record.
struct PlanBranch: BitwiseCopyable {
  /// The layout of the record up to and including this step.
  var layout: RecordLayout
  /// The number of words of the record's shape up to and including this step.
  var wordCount: Int32
  /// The first child, or ``EncodingPlan/none``; each child has the next one in ``sibling``.
  var firstChild: Int32 = 0
  /// The next child of the same parent, or ``EncodingPlan/none``.
  var sibling: Int32 = 0
  var childCount: Int32 = 0
  /// The step before, or ``EncodingPlan/none`` for the first step of a root.
  var parent: Int32
  var root: Int32
  /// The number of the layouts in ``AssemblyPlan``, or ``noLayout``.
  var layoutNumber = PlanBranch.noLayout

  /// The value of ``layoutNumber`` for an order in which no record was assembled.
  static var noLayout: Int32 { -1 }
}
