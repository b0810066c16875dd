import KeepsakeArchive

/// Encodes dictionary keys and set members that consist of one text or one `Int`, as those of most enumerations and
/// wrappers do.
///
/// Other keys and members are encoded again, by the complete encoder.
final class SimpleKeyEncoder {
  enum Content {
    case none
    case text(String)
    case integer(Int)
    case other
  }

  private let session: EncodingSession
  private var content = Content.none

  init(_ session: EncodingSession) { self.session = session }

  /// The content that a key encodes.
  ///
  /// A key that throws has the content `other`: the complete encoder encodes it again and throws the error.
  func content(of key: some Encodable) -> Content {
    content = .none
    do {
      try key.encode(to: self)
    } catch {
      return .other
    }
    return content
  }

  private func set(_ next: Content) {
    if case .none = content { content = next } else { content = .other }
  }

  /// An encoder whose content is discarded.
  private var otherEncoder: ValueEncoder {
    content = .other
    let level = EncodingLevel.fresh(session.userInfo, session.limits)
    return ValueTree(path: [], depth: 0, level: level).encoder
  }
}

extension SimpleKeyEncoder: Encoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    otherEncoder.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { otherEncoder.unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension SimpleKeyEncoder: SingleValueEncodingContainer {
  func encode(_ value: String) { set(.text(value)) }
  func encode(_ value: Int) { set(.integer(value)) }

  func encodeNil() { set(.other) }
  func encode(_ value: some CodableScalar) { set(.other) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if session.isByItself(Value.self) {
      try value.encode(to: self)
    } else {
      set(.other)
    }
  }

  func encode(_ value: Int128) { set(.other) }
  func encode(_ value: UInt128) { set(.other) }
}
