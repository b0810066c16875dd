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
    // The one line that returns the container looks its type up, which takes a while.
    if level.containerKeys == ObjectIdentifier(type), serial == level.assembler.serial,
      level.container.isFree, level.assembler.openKeyed(level.containerSteps)
    {
      level.place?.serial = serial
      return level.container.value(as: KeyedEncodingContainer<Key>.self)
    }
    return newContainer(type)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    let steps = level.session.steps(of: type)
    guard serial == level.assembler.serial, level.assembler.openKeyed(steps) else {
      return giveUp().container(keyedBy: type)
    }
    let place = KeyedPlace(level: level, serial: serial)
    let container = KeyedEncodingContainer(KeyedPlaceContainer<Key>(place: place))
    if KeyedPlace.isContainerReference {
      level.container.keep(container)
      level.containerKeys = ObjectIdentifier(type)
      level.containerSteps = steps
      level.place = place
    }
    return container
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
      path: codingPath + keys, depth: level.depth + keys.count, session: level.session,
      keepsEntries: false)
  }

  /// Takes note that something was written which can't be written at once.
  func outOfTurn() {
    level.session.giveUp(serial)
  }
}
