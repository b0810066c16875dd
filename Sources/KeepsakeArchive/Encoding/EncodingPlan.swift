/// What the encoder has learned about the order in which records are written.
///
/// Each node stands for the sequence of keys and tags written so far in one record. An object that
/// writes the same keys as the one before finds each next node by one comparison of words; at the
/// end of the record the node knows the shape and where each value goes.
struct EncodingPlan {
  struct Node {
    var identity: StringIdentity
    /// The scope, the tag and the flags of the step that leads here, in one word; of a root, the
    /// schema version.
    var signature: UInt64
    var parent: Int32
    var type: Int32
    /// The child that the last record went to.
    var predicted: Int32 = -1
    /// The layout of a record that ends here, once one did.
    var layout: Int32 = -1
  }

  /// A scope opened by name, inside another one or at the top.
  struct Scope {
    var parent: Int32
    var name: String
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

  /// A type name and a schema version; the first is that of the archive's own record.
  struct TypeName: Hashable {
    var key: ArchiveKey
    var schemaVersion: UInt32
  }

  private(set) var nodes: [Node] = []
  /// The key of the step to each node; keeps the string alive whose bits the node compares.
  private(set) var keys: [ArchiveKey] = []
  private(set) var scopes: [Scope] = []
  private(set) var types: [TypeName] = []
  private var children: [Step: Int32] = [:]
  private var roots: [TypeName: Int32] = [:]
  /// The first few roots, found again by the bits of the type name instead of a hash of it.
  private var firstRoots: [Int32] = []
  private var scopeSteps: [ScopeStep: Int32] = [:]

  static func signature(
    scope: Int32, tag: ArchiveTag, isNullable: Bool, isReserved: Bool
  ) -> UInt64 {
    UInt64(UInt32(bitPattern: scope)) << 32 | UInt64(tag.rawValue) << 8
      | (isNullable ? 1 : 0) | (isReserved ? 2 : 0)
  }

  /// The node at which records of a type begin.
  mutating func root(typeName: String, schemaVersion: UInt32) -> Int32 {
    let identity = StringIdentity(typeName)
    for index in firstRoots.indices {
      let root = firstRoots[index]
      if nodes[Int(root)].identity == identity,
        nodes[Int(root)].signature == UInt64(schemaVersion)
      {
        return root
      }
    }
    return slowRoot(typeName: typeName, schemaVersion: schemaVersion)
  }

  @inline(never)
  private mutating func slowRoot(typeName: String, schemaVersion: UInt32) -> Int32 {
    let type = TypeName(key: ArchiveKey(typeName), schemaVersion: schemaVersion)
    if let known = roots[type] { return known }
    let index = Int32(nodes.count)
    nodes.append(
      Node(
        identity: StringIdentity(typeName), signature: UInt64(schemaVersion), parent: -1,
        type: Int32(types.count)))
    keys.append(type.key)
    types.append(type)
    roots[type] = index
    if firstRoots.count < 12 { firstRoots.append(index) }
    return index
  }

  /// The node after one more step.
  @inline(__always)
  mutating func advance(from node: Int32, key: ArchiveKey, signature: UInt64) -> Int32 {
    let predicted = nodes[Int(node)].predicted
    if predicted >= 0, nodes[Int(predicted)].signature == signature,
      nodes[Int(predicted)].identity == StringIdentity(key.name)
    {
      return predicted
    }
    return advanceSlowly(from: node, key: key, signature: signature)
  }

  @inline(never)
  private mutating func advanceSlowly(
    from node: Int32, key: ArchiveKey, signature: UInt64
  ) -> Int32 {
    let step = Step(parent: node, signature: signature, key: key)
    let next: Int32
    if let known = children[step] {
      next = known
    } else {
      next = Int32(nodes.count)
      nodes.append(
        Node(
          identity: StringIdentity(key.name), signature: signature, parent: node,
          type: nodes[Int(node)].type))
      keys.append(key)
      children[step] = next
    }
    nodes[Int(node)].predicted = next
    return next
  }

  /// The scope of a name within another scope, -1 being the top.
  mutating func scope(named name: String, in parent: Int32) -> Int32 {
    let step = ScopeStep(parent: parent, key: ArchiveKey(name))
    if let known = scopeSteps[step] { return known }
    let index = Int32(scopes.count)
    let depth = parent < 0 ? 1 : scopes[Int(parent)].depth + 1
    scopes.append(Scope(parent: parent, name: name, depth: depth))
    scopeSteps[step] = index
    return index
  }

  mutating func setLayout(_ layout: Int32, of node: Int32) {
    nodes[Int(node)].layout = layout
  }

  /// The steps that lead from the root to a node, in the order in which they were taken.
  func path(to node: Int32) -> [PlannedSlot] {
    var slots: [PlannedSlot] = []
    var index = node
    while index >= 0, nodes[Int(index)].parent >= 0 {
      let node = nodes[Int(index)]
      slots.append(
        PlannedSlot(
          key: keys[Int(index)], scope: Int32(truncatingIfNeeded: node.signature >> 32),
          tag: ArchiveTag(rawValue: UInt8(truncatingIfNeeded: node.signature >> 8)),
          isNullable: node.signature & 1 != 0))
      index = node.parent
    }
    slots.reverse()
    return slots
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
  var isNullable: Bool
}
