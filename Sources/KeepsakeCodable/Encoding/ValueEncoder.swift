import KeepsakeArchive

/// The `Encoder` that values encode themselves with.
///
/// A value is written into the archive while it encodes itself, with the containers that it opens. This is impossible
/// for a value that returns to a container after it wrote to another one. Such a value is encoded again into a
/// ``ValueTree``, which is written when it is complete.
struct ValueEncoder: Encoder {
  let level: EncodingLevel
  /// The serial number of the value in the archive, or ``treeSerial`` for a tree.
  let serial: Int
  /// The tree that is being filled; nil for a value that is written at once.
  let tree: ValueTree?

  /// A serial number that no value of an archive has.
  static let treeSerial = Int.min

  var codingPath: [any CodingKey] { tree?.path ?? level.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { level.session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard level.assembler.value.isCurrent(serial),
      let container = level.freeContainer(for: ObjectIdentifier(type))
    else { return newContainer(type) }
    let isOpen = container.place.with { place in
      if place.root == KeyedPlace.unknownRoot {
        place.root = level.assembler.value.root(ofKeys: ObjectIdentifier(type))
      }
      place.serial = serial
      return level.assembler.value.openKeyed(place.root)
    }
    if !isOpen { return treeContainer() }
    return container.value(as: KeyedEncodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard level.assembler.value.isCurrent(serial) else { return treeContainer() }
    let root = level.assembler.value.root(ofKeys: ObjectIdentifier(type))
    guard level.assembler.value.openKeyed(root) else { return treeContainer() }
    let place = KeyedPlace(self, root: root)
    let container = KeyedEncodingContainer(KeyedContainer<Key>(place: place))
    if KeyedPlace.isContainerReference {
      level.keep(KeptContainer(container, keys: ObjectIdentifier(type), place: place))
    }
    return container
  }

  private func treeContainer<Key: CodingKey>() -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedContainer(place: KeyedPlace(openTree(.keyed).encoder)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if level.assembler.value.isCurrent(serial), level.assembler.value.openUnkeyed() {
      return UnkeyedContainer(encoder: self)
    }
    return UnkeyedContainer(encoder: openTree(.unkeyed).encoder)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueContainer(encoder: self)
  }

  /// Opens a container in the tree that is being filled; without a tree, in a new one.
  ///
  /// The content of the new one is discarded, since the value is encoded again.
  private func openTree(_ container: ValueTree.Content) -> ValueTree {
    let tree = tree ?? giveUp()
    tree.open(container)
    return tree
  }

  /// Records that the value has to be encoded as a tree, and returns one whose content is discarded, for values that
  /// are still being encoded.
  func giveUp(_ keys: (any CodingKey)...) -> ValueTree {
    outOfTurn()
    return ValueTree(
      path: codingPath + keys, depth: level.depth + keys.count, level: level)
  }

  /// Records that a value cannot be written at once.
  func outOfTurn() { level.session.giveUp(serial) }
}

/// The target of a keyed container, in an object so that the container is one reference.
final class KeyedPlace: LevelPlace {
  var attachedLevel: EncodingLevel?
  let assembler: SharedAssembler
  let tree: ValueTree?
  /// The root of its keys in the plan, or ``unknownRoot``.
  var root: Int
  /// The serial number of the record; it changes when the container is reused.
  var serial: Int

  /// The sentinel of ``root`` for a root that is not known, such as after a change of plan.
  static let unknownRoot = -1

  init(_ encoder: ValueEncoder, root: Int = KeyedPlace.unknownRoot) {
    self.root = root
    attachedLevel = encoder.level
    assembler = encoder.level.assembler
    tree = encoder.tree
    serial = encoder.serial
  }

  /// The attached level; for a free container, a new level whose values are discarded.
  var level: EncodingLevel { attachedLevel ?? EncodingLevel.fresh([:], .init()) }

  var encoder: ValueEncoder { ValueEncoder(level: level, serial: serial, tree: tree) }

  func put(_ bits: UInt64, _ tag: ArchiveTag, _ key: some CodingKey, omitsNil: Bool = false) {
    let name = key.stringValue
    if !assembler.value.put(bits, tag, forKey: name, of: serial, omitsNil: omitsNil) {
      putLater(.bits(bits, tag), name, omitsNil)
    }
  }

  func put(_ text: String, _ key: some CodingKey, omitsNil: Bool = false) {
    let name = key.stringValue
    if !assembler.value.put(text, .string, forKey: name, of: serial, omitsNil: omitsNil) {
      putLater(.text(text), name, omitsNil)
    }
  }

  func putAbsent(_ tag: ArchiveTag, _ key: some CodingKey) {
    let name = key.stringValue
    if !assembler.value.putAbsent(tag, forKey: name, of: serial) {
      putLater(.absent(tag), name, true)
    }
  }

  /// Puts a value that cannot be written at once.
  private func putLater(_ value: StagedValue, _ name: String, _ omitsNil: Bool) {
    guard let tree else { return encoder.outOfTurn() }
    tree.put(value, forKey: name, omitsNil: omitsNil)
  }

  /// Encodes a value that cannot be written at once.
  func encodeLater(
    _ value: some Encodable, _ key: any CodingKey, omitsNil: Bool
  ) throws {
    guard let tree else { return encoder.outOfTurn() }
    tree.put(try tree.staged(value, at: key), forKey: key.stringValue, omitsNil: omitsNil)
  }

  /// An encoder for a key: the encoder of the container that was opened under it before, or a new one.
  func nested(_ key: any CodingKey) -> ValueEncoder {
    if let tree {
      if let known = tree.container(forKey: key.stringValue) { return known.encoder }
      return tree.nested(at: key) { tree.put(.tree($0), forKey: key.stringValue) }.encoder
    }
    let next = level.next
    guard !next.isTooDeep,
      let serial = assembler.value.beginNested(forKey: key.stringValue, of: serial)
    else { return encoder.giveUp(key).encoder }
    next.key = key
    return ValueEncoder(level: next, serial: serial, tree: nil)
  }
}

extension KeyedPlace {
  /// True when a `KeyedEncodingContainer` of the standard library is a single reference; tested once with an unused
  /// container.
  static let isContainerReference: Bool = {
    let encoder = ValueEncoder(level: EncodingLevel.fresh([:], .init()), serial: 0, tree: nil)
    return ReusableReference.isReference(
      KeyedEncodingContainer(KeyedContainer<PathKey>(place: KeyedPlace(encoder))))
  }()
}
