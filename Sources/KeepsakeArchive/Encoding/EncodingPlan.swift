/// What the encoder has learned about the order in which records are written.
@usableFromInline
struct EncodingPlan: ~Copyable, Sendable {
  /// A scope opened by name, inside another one or at the top.
  struct Scope {
    var parent: Int32
    var name: String
    var identity: StringIdentity
    var depth: Int
  }

  private struct Step: Hashable {
    var parent: Int32
    var signature: UInt64
    var key: ArchiveKey
  }

  private struct ScopeStep: Hashable {
    var parent: Int32
    var key: ArchiveKey
  }

  /// What records begin with the same expectation: a type, and the Swift type that writes it.
  private struct Root: Hashable {
    var type: TypeEntry
    var writer: UInt32
  }

  /// Children are compared one by one up to this number, and looked up by a hash after it.
  private static let linkedChildCount: Int32 = 8
  /// The same for roots.
  private static let listedRootCount = 16

  /// Node 0 is no step of any record: it stands for "none" and equals nothing.
  @usableFromInline var nodes: RawTable<PlanNode>
  private var branches: RawTable<PlanBranch>
  /// The key of the step to each node; keeps the string alive whose bits the node compares.
  private(set) var keys: [ArchiveKey] = []
  private(set) var scopes: [Scope] = []
  /// The steps at which records end that lie in slots of others, by the numbers that these have in
  /// signatures, from 1.
  private var cells: [Int32] = [0]
  private(set) var types: [TypeEntry] = []
  private var children: [Step: Int32] = [:]
  /// The first roots, which are compared one by one, and the ones after them.
  private var listedRoots = RawTable<Int32>(capacity: 0)
  private var roots: [Root: Int32] = [:]
  private var scopeSteps: [ScopeStep: Int32] = [:]
  /// The bytes of the names that the plan keeps.
  private(set) var nameByteCount = 0
  /// How records are stored whose values come in any order.
  var assembly = AssemblyPlan()

  /// A plan that nothing can be written by, and that takes no memory.
  init() {
    nodes = RawTable(capacity: 0)
    branches = RawTable(capacity: 0)
  }

  /// A plan with room for so many steps.
  init(capacity: Int) {
    nodes = RawTable(capacity: capacity)
    branches = RawTable(capacity: capacity)
    keys.reserveCapacity(capacity)
    append(
      ArchiveKey(""), identity: StringIdentity(), signature: .max, parent: 0,
      layout: RecordLayout(), type: -1)
  }

  @discardableResult
  private mutating func append(
    _ key: ArchiveKey, identity: StringIdentity, signature: UInt64, parent: Int32,
    layout: RecordLayout, type: Int32
  ) -> Int32 {
    // A root adds a slot of no width.
    var layout = layout
    let tag = parent == 0 ? .null : PlanNode.tag(of: signature)
    let cell = parent == 0 ? 0 : PlanNode.cell(of: signature)
    let placement =
      cell == 0
      ? layout.add(tag, isNullable: parent != 0 && signature & 1 != 0)
      : layout.add(inline: branches[Int(cells[cell])].layout)
    if parent != 0, signature & 2 != 0 { layout.hasReservedKey = true }
    nodes.append(
      PlanNode(
        identity: identity, signature: signature, placement: placement, layout: layout,
        hasSlot: cell != 0 || !tag.isVariable))
    let root = parent == 0 ? Int32(nodes.count - 1) : branches[Int(parent)].root
    let wordCount =
      parent == 0 ? 0 : branches[Int(parent)].wordCount + PlanNode.wordCount(signature)
    branches.append(
      PlanBranch(layout: layout, wordCount: wordCount, parent: parent, root: root, type: type))
    keys.append(key)
    nameByteCount += key.name.utf8.count
    return Int32(nodes.count - 1)
  }

  /// The number that stands in signatures for records which end at a step, 0 for one that has none
  /// because too many have.
  @inline(never)
  @usableFromInline
  mutating func makeCell(_ node: Int) -> UInt16 {
    guard cells.count < Int(UInt16.max) else { return 0 }
    nodes[node].cell = UInt16(cells.count)
    cells.append(Int32(node))
    return nodes[node].cell
  }

  /// The step with which records begin that come to a node.
  @inline(__always)
  func root(of node: Int) -> Int { Int(branches[node].root) }

  /// The step at which records end that a number stands for.
  @inline(__always)
  func node(of cell: UInt16) -> Int { Int(cells[Int(cell)]) }

  /// The type that the records below a node are of.
  func type(of node: Int) -> TypeEntry { types[Int(branches[node].type)] }

  /// Remembers where the payloads of a record began, for the next one of its type.
  mutating func expectTail(_ offset: Int, of node: Int) {
    nodes[Int(branches[node].root)].expectedTail = Int32(clamping: offset)
  }

  /// The node at which records of a type begin.
  ///
  /// Types without a name have their names in common: `writer`, a number made of the Swift type,
  /// keeps their expectations apart. It has no part in what is written.
  @inline(never)
  mutating func root(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Int {
    let signature = PlanNode.signature(ofVersion: schemaVersion, writer: writer)
    let identity = StringIdentity(typeName)
    for index in 0..<listedRoots.count {
      let node = Int(listedRoots[index])
      if nodes[node].signature == signature,
        nodes[node].identity == identity || keys[node].name.hasSameBytes(as: typeName)
      {
        return node
      }
    }
    let type = TypeEntry(name: typeName, schemaVersion: schemaVersion)
    let isListed = listedRoots.count < EncodingPlan.listedRootCount
    if !isListed, let known = roots[Root(type: type, writer: writer)] { return Int(known) }
    let index = append(
      ArchiveKey(typeName), identity: identity, signature: signature, parent: 0,
      layout: RecordLayout(), type: Int32(types.count))
    types.append(type)
    if isListed {
      listedRoots.append(index)
    } else {
      roots[Root(type: type, writer: writer)] = index
    }
    return Int(index)
  }

  /// The root of the last record among the elements of the value that a step writes, 0 for none.
  func elementRoot(of step: Int) -> Int {
    nodes[step].isVariable ? Int(nodes[step].offset) : 0
  }

  /// Remembers that root for the elements of the next value that the step writes.
  mutating func expectElements(_ root: Int, of step: Int) {
    if nodes[step].isVariable { nodes[step].offset = Int32(root) }
  }

  /// The node after one more step, when it is not the one that was predicted; nil where the record would have
  /// more words than a shape can have, so that no plan grows beyond what its nodes can count.
  @inline(never)
  mutating func advance(from node: Int, key: ArchiveKey, signature: UInt64) -> Int? {
    guard let next = child(of: Int32(node), key: key, signature: signature) else { return nil }
    nodes[node].predicted = next
    return Int(next)
  }

  private mutating func child(of node: Int32, key: ArchiveKey, signature: UInt64) -> Int32? {
    let identity = StringIdentity(key.name)
    var candidate = branches[Int(node)].firstChild
    while candidate != 0 {
      let row = nodes[Int(candidate)]
      if row.signature == signature,
        row.identity == identity || keys[Int(candidate)].name.hasSameBytes(as: key.name)
      {
        return candidate
      }
      candidate = branches[Int(candidate)].sibling
    }
    if branches[Int(node)].childCount > EncodingPlan.linkedChildCount,
      let known = children[Step(parent: node, signature: signature, key: key)]
    {
      return known
    }
    let wordCount = Int(branches[Int(node)].wordCount + PlanNode.wordCount(signature))
    if wordCount > ShapeEntry.largestWordCount { return nil }
    return makeChild(of: node, key: key, identity: identity, signature: signature)
  }

  private mutating func makeChild(
    of node: Int32, key: ArchiveKey, identity: StringIdentity, signature: UInt64
  ) -> Int32 {
    var parent = branches[Int(node)]
    let next = append(
      key, identity: identity, signature: signature, parent: node, layout: parent.layout,
      type: parent.type)
    parent.childCount += 1
    if parent.childCount <= EncodingPlan.linkedChildCount {
      branches[Int(next)].sibling = parent.firstChild
      parent.firstChild = next
    } else {
      children[Step(parent: node, signature: signature, key: key)] = next
    }
    branches[Int(node)] = parent
    return next
  }

  /// The scope of a name within another scope, -1 being the top.
  mutating func scope(named name: String, in parent: Int32) -> Int32 {
    let identity = StringIdentity(name)
    for (index, scope) in scopes.prefix(8).enumerated()
    where scope.parent == parent && scope.identity == identity {
      return Int32(index)
    }
    let step = ScopeStep(parent: parent, key: ArchiveKey(name))
    if let known = scopeSteps[step] { return known }
    let index = Int32(scopes.count)
    let depth = parent < 0 ? 1 : scopes[Int(parent)].depth + 1
    scopes.append(Scope(parent: parent, name: name, identity: identity, depth: depth))
    nameByteCount += name.utf8.count
    scopeSteps[step] = index
    return index
  }

  /// Whether one of the steps that lead to a node is a key of a name.
  mutating func hasStep(_ name: String, upTo node: Int) -> Bool {
    let identity = StringIdentity(name)
    var index = node
    while branches[index].parent != 0 {
      if nodes[index].identity == identity || keys[index].name.hasSameBytes(as: name) {
        return true
      }
      index = Int(branches[index].parent)
    }
    return false
  }

  /// The numbers of the steps that lead from the root to a node, which is the first of them.
  func steps(to node: Int) -> [Int] {
    var steps: [Int] = []
    steps.reserveCapacity(32)
    var index = Int32(node)
    while index != 0 {
      steps.append(Int(index))
      index = branches[Int(index)].parent
    }
    steps.reverse()
    return steps
  }

  /// The steps that lead from the root to a node, in the order in which they were taken.
  func path(to node: Int) -> [PlannedSlot] {
    var slots: [PlannedSlot] = []
    for step in steps(to: node).dropFirst() { slots.append(slot(of: step)) }
    return slots
  }

  /// What a step that is no root writes.
  func slot(of step: Int) -> PlannedSlot {
    let node = nodes[step]
    return PlannedSlot(
      key: keys[step], scope: PlanNode.scope(of: node.signature),
      tag: PlanNode.tag(of: node.signature),
      isFlexible: node.signature & PlanNode.flexible != 0,
      cell: Int(cells[PlanNode.cell(of: node.signature)]),
      isCase: node.signature == PlanNode.caseSignature)
  }

  /// The scope names from the outermost to a scope.
  func names(of scope: Int32) -> [String] {
    var names: [String] = []
    var index = scope
    while index >= 0 {
      names.append(scopes[Int(index)].name)
      index = scopes[Int(index)].parent
    }
    names.reverse()
    return names
  }
}

/// One key that a record writes: where it is declared and how its value is written.
struct PlannedSlot {
  var key: ArchiveKey
  var scope: Int32
  var tag: ArchiveTag
  /// Whether the width is chosen for all such slots of the record.
  var isFlexible: Bool
  /// The step at which a record ends that lies in the slot, 0 for any other value.
  var cell: Int
  /// Whether the step names the case of an enumeration and has no value.
  var isCase: Bool
}

/// One step of the order in which records of a type are written: a key with the tag of its value.
///
/// The steps form a tree below a root for each type. An object that writes the same keys as the one
/// before finds each next node by one comparison of words. A node fills a cache line.
@usableFromInline
struct PlanNode: BitwiseCopyable, Sendable {
  /// The bits of the key; of a root, those of the type's name.
  @usableFromInline var identity: StringIdentity
  /// The scope, the tag and the flags of the step in one word; of a root, the version and what writes it.
  @usableFromInline var signature: UInt64
  /// The child that the last record went to, 0 for none.
  @usableFromInline var predicted: Int32 = 0
  /// Where the slot of the step lies in the body; of a variable value, which has none, the root of the last
  /// record among its elements, 0 for none.
  @usableFromInline var offset: Int32
  /// The bytes of the record up to the end of this slot.
  @usableFromInline var byteCount: Int32
  /// The byte with the slot's nil bit, if it may be nil.
  @usableFromInline var nilOffset: Int32
  /// How many payloads a record has that ends here.
  @usableFromInline var variableCount: UInt16
  /// The number that stands for records which end here in signatures of others, 0 before the first.
  @usableFromInline var cell: UInt16 = 0
  /// The number of the shape of a record that ends here, or -1 before the first.
  @usableFromInline var shape: Int32 = -1
  /// Of a root, where the payloads of the last record began.
  @usableFromInline var expectedTail: Int32
  /// The root of the record that was begun last under the key after this step, 0 for none.
  @usableFromInline var nextRoot: Int32 = 0
  @usableFromInline var nilMask: UInt8
  /// The bit of a value that is one, in the byte at its offset.
  @usableFromInline var bit: UInt8
  /// Whether a record that ends here is a cell (Spec/archive.md, 4.3).
  @usableFromInline var isCell: Bool
  /// Of a root, whether the integers of the last record needed 64 bits.
  @usableFromInline var isWide = false
  /// The byte of bits that begins with this value, or -1 if none does.
  @usableFromInline var openedByte: Int32

  init(
    identity: StringIdentity, signature: UInt64, placement: RecordLayout.Placement,
    layout: RecordLayout, hasSlot: Bool
  ) {
    self.identity = identity
    self.signature = signature
    // A record has 65,535 words at most (`advance`), of which a cell of 65,535 bytes takes two, and a
    // payload one: so all of these fit.
    offset = hasSlot ? Int32(placement.offset) : 0
    byteCount = Int32(layout.byteCount)
    nilOffset = Int32(placement.nilOffset)
    variableCount = UInt16(layout.variableCount)
    expectedTail = Int32(layout.byteCount)
    nilMask = placement.nilMask
    bit = placement.bit
    isCell = layout.isCell
    openedByte = placement.openedByte
  }

  /// How many payloads have an end of their own: all but the last.
  @inlinable var endCount: Int { Int(variableCount) &- (variableCount > 0 ? 1 : 0) }

  /// Whether the step writes a payload.
  var isVariable: Bool { PlanNode.tag(of: signature).isVariable }

  /// The tag of a step's value: one byte of its signature.
  static func tag(of signature: UInt64) -> ArchiveTag {
    ArchiveTag(rawValue: UInt8(truncatingIfNeeded: signature >> 8))
  }

  /// The scope of a step's key: the upper half of its signature.
  static func scope(of signature: UInt64) -> Int32 { Int32(truncatingIfNeeded: signature >> 32) }

  /// How many words of a shape a step takes: two for a record in its slot.
  static func wordCount(_ signature: UInt64) -> Int32 { cell(of: signature) == 0 ? 1 : 2 }

  /// The signature of a step that names the case of an enumeration and has no value.
  static let caseSignature: UInt64 = 4

  @inlinable
  static func signature(
    in frame: RecordFrame, tag: ArchiveTag, flags: UInt64, isReserved: Bool, cell: UInt16 = 0,
    isFlexible: Bool = false
  ) -> UInt64 {
    (isFlexible ? flexible : 0) | frame.scopeAndDepth & 0xFFFF_FFFF_0000_0000
      | UInt64(cell) << 16 | UInt64(tag.rawValue) << 8
      | flags | (isReserved ? 2 : 0)
  }

  /// The signature of a root.
  @inlinable
  @inline(__always)
  static func signature(ofVersion version: UInt32, writer: UInt32) -> UInt64 {
    UInt64(version) | UInt64(writer) << 32
  }

  /// Whether records of a type begin at this node, which is a root or 0.
  @inlinable
  @inline(__always)
  func isRoot(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Bool {
    signature == PlanNode.signature(ofVersion: schemaVersion, writer: writer)
      && identity == StringIdentity(typeName)
  }

  /// The bits of a signature that say which record lies in the slot.
  @inlinable static var cellBits: UInt64 { 0xFFFF_0000 }

  /// The bit of a slot whose width is chosen for all such slots of the record.
  @inlinable static var flexible: UInt64 { 16 }

  /// The signature of the same integer in 64 bits, or in 32.
  static func integer(_ signature: UInt64, isWide: Bool) -> UInt64 {
    signature & ~0x0700 | (isWide ? 0x0400 : 0x0300)
  }

  /// The signature of the same record as a payload.
  static func outOfSlot(_ signature: UInt64) -> UInt64 {
    signature & ~0xFFFF_FF00 | UInt64(ArchiveTag.record.rawValue) << 8
  }

  /// The number of the record that lies in the slot of a step, 0 for any other value.
  @inlinable
  static func cell(of signature: UInt64) -> Int { Int((signature & cellBits) >> 16) }
}

/// What is needed of a node only when a record takes another way than the last.
struct PlanBranch: BitwiseCopyable {
  /// The layout of the record up to and with this step.
  var layout: RecordLayout
  /// The words that the shape of the record has up to and with this step.
  var wordCount: Int32
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
