import KeepsakeArchive

/// What all decoders of one call share, and what keeps the bytes that they read.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
  private let archive: Archive
  let level = DecodingLevel()

  init(userInfo: [CodingUserInfoKey: any Sendable], archive: Archive) {
    self.userInfo = userInfo
    self.archive = archive
  }

  /// Lets go of the containers that were kept, which refer to decoders and so to this session.
  func finish() { level.letGo() }
}

/// What is remembered at one level of nesting, at which values are decoded one after the other.
final class DecodingLevel {
  /// The last type here that the archive has no kind of its own for.
  var plainType: ObjectIdentifier?
  /// The last such type that a value here handed itself on to.
  var plainInnerType: ObjectIdentifier?

  /// The keyed container that a value here had last, and what it reads from.
  ///
  /// To make one takes longer than to read through it, so it is used again when its user has let go
  /// of it.
  let container = ReusableReference()
  /// The type of its keys.
  var containerKeys: ObjectIdentifier?
  var source: KeyedSource?
  /// Whether the call is over; a decoder that somebody kept still reads.
  private(set) var isFinished = false
  private var below: DecodingLevel?

  /// The level of the values in a container of this one.
  var next: DecodingLevel {
    if let below { return below }
    let level = DecodingLevel()
    level.isFinished = isFinished
    below = level
    return level
  }

  func letGo() {
    isFinished = true
    container.letGo()
    containerKeys = nil
    source = nil
    below?.letGo()
  }
}

/// The record that a keyed container reads from; another one when the container is used again.
final class KeyedSource {
  var record: StoredRecord
  var decoder: NodeDecoder

  init(_ record: StoredRecord, _ decoder: NodeDecoder) {
    self.record = record
    self.decoder = decoder
  }
}
