import KeepsakeArchive

/// The `Encoder` that a value sees which is written straight into the archive.
///
/// A value is written while it encodes itself. One that opens containers in others by hand and fills
/// them in turns is encoded again by a ``NodeEncoder``.
struct PlaceEncoder: Encoder {
  let level: EncodingLevel
  let serial: Int

  var codingPath: [any CodingKey] { level.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { level.session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let assembler = level.assembler
    if serial == assembler.serial, assembler.openKeyed(level.session.steps(of: type)) {
      return KeyedEncodingContainer(KeyedPlaceContainer<Key>(level: level, serial: serial))
    }
    return giveUp().container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if serial == level.assembler.serial, level.assembler.openUnkeyed() {
      return UnkeyedPlaceContainer(level: level, serial: serial)
    }
    return giveUp().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValuePlaceContainer(encoder: self)
  }

  /// Takes note that the value has to be encoded as a tree, and returns an encoder whose content is
  /// forgotten: it is there for values that go on encoding.
  func giveUp(_ keys: (any CodingKey)...) -> NodeEncoder {
    outOfTurn()
    return NodeEncoder(
      path: codingPath + keys, depth: level.depth + keys.count, session: level.session)
  }

  /// Takes note that something was written which can't be written at once.
  func outOfTurn() {
    level.session.giveUp(serial)
  }
}
