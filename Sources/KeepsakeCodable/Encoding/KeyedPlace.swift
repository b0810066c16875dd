import KeepsakeArchive

/// The record that a keyed container writes to.
final class KeyedPlace {
  let level: EncodingLevel
  let assembler: RecordAssembler
  /// The serial number of the record; another one when the container is used again.
  var serial: Int

  init(level: EncodingLevel, serial: Int) {
    self.level = level
    assembler = level.assembler
    self.serial = serial
  }

  /// Takes note that something was written which can't be written at once.
  func outOfTurn() { level.session.giveUp(serial) }
}

extension KeyedPlace {
  /// Whether the library's container is one reference, as one for a value without keys shows.
  static let isContainerReference: Bool = {
    var isReference = false
    var writer = ArchiveWriter()
    try? writer.assembleObject(
      ArchiveObjectID(1), typeName: CodableArchive.typeName, forKey: CodableArchive.rootKey
    ) { assembler in
      let session = EncodingSession(userInfo: [:], nestingDepth: 1, assembler: assembler)
      let level = EncodingLevel(session: session, assembler: assembler)
      let place = KeyedPlace(level: level, serial: assembler.begin())
      isReference = ReusableReference.isReference(
        KeyedEncodingContainer(KeyedPlaceContainer<PathKey>(place: place)))
    }
    return isReference
  }()
}
