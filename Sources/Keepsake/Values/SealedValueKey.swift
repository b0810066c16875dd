public import KeepsakeSeal

/// What seals and opens the file of a value: a passphrase, a key, a key store, or keys of several people.
public struct SealedValueKey: Sendable {
  private enum Kind {
    case passphrase(String, PassphraseCost)
    case key(SealKey)
    case store(any KeyStore)
    case recipients([SealRecipient], [SealIdentity])
  }

  private let kind: Kind
  /// What the value is for, as ``forPurpose(_:)`` has said.
  private(set) var purpose = ValuePurpose(name: "")

  private init(kind: Kind) { self.kind = kind }

  /// A passphrase; each save and each load takes the time of its cost.
  ///
  /// The library wipes its own copies of the text, and cannot wipe the `String` itself.
  ///
  /// - Parameters:
  ///   - text: The passphrase, as the user typed it.
  ///   - cost: What each guess costs at a file that is saved.
  /// - Returns: The passphrase as a key.
  public static func passphrase(
    _ text: String, cost: PassphraseCost = .standard
  ) -> SealedValueKey {
    SealedValueKey(kind: .passphrase(text, cost))
  }

  /// A key that the app has.
  ///
  /// - Parameter key: The key.
  /// - Returns: The key.
  public static func key(_ key: SealKey) -> SealedValueKey { SealedValueKey(kind: .key(key)) }

  /// The key of a key store, which is made with the first file that needs it, and never beside a file that
  /// an older key has sealed.
  ///
  /// - Parameter store: The key store.
  /// - Returns: Its key.
  public static func keyStore(_ store: any KeyStore) -> SealedValueKey {
    SealedValueKey(kind: .store(store))
  }

  /// Keys of several people: whoever has one of them can load the value.
  ///
  /// - Parameters:
  ///   - recipients: Those for whom a file is sealed, between 1 and 32; none for who only loads.
  ///   - identities: What opens a file; none for who only saves.
  /// - Returns: The keys.
  public static func recipients(
    _ recipients: [SealRecipient], identities: [SealIdentity] = []
  ) -> SealedValueKey {
    SealedValueKey(kind: .recipients(recipients, identities))
  }

  /// The same key for values of one purpose only, such as `settings`: where several files have one key, none of them
  /// passes for another.
  ///
  /// The purpose is no secret, and stands readable in the file.
  ///
  /// - Parameter purpose: What the value is for, the same for each save and each load; at most 65,519 bytes of UTF-8.
  /// - Returns: The key.
  public func forPurpose(_ purpose: String) -> SealedValueKey {
    var key = self
    key.purpose = ValuePurpose(name: purpose)
    return key
  }

  /// Those for whom a file is sealed; a new one where there is no file yet that an older key may have sealed.
  func recipients(isNew: Bool) throws(KeepsakeError) -> [SealRecipient] {
    switch kind {
    case .passphrase(let text, let cost):
      [.passphrase(try Self.passphrase(copying: text), cost: cost)]
    case .key(let key): [.key(key)]
    case .store(let store): [.key(try isNew ? store.existingOrNewKey() : store.existingKey())]
    case .recipients(let recipients, _): recipients
    }
  }

  /// What opens a file.
  func identities() throws(KeepsakeError) -> [SealIdentity] {
    switch kind {
    case .passphrase(let text, _): [.passphrase(try Self.passphrase(copying: text))]
    case .key(let key): [.key(key)]
    case .store(let store): [.key(try store.existingKey())]
    case .recipients(_, let identities): identities
    }
  }

  private static func passphrase(copying text: String) throws(KeepsakeError) -> SealPassphrase {
    do throws(SealError) {
      return try SealPassphrase(text)
    } catch {
      throw KeepsakeError(.keyUnavailable, error.description, error)
    }
  }
}

/// What the file of a value is sealed for, so that no other file of the same key is taken for it (Spec/state.md,
/// section 6.1).
struct ValuePurpose: Hashable {
  /// What the value is for, in the app's own words; empty where it has said nothing.
  let name: String

  private static let heading = Array("keepsake value 0\n".utf8)

  /// The bytes that the file is sealed for, which are also its public metadata.
  var context: [UInt8] { Self.heading + Array(name.utf8) }

  /// Whether public metadata is that of a file of a value.
  static func isStated(by metadata: [UInt8]) -> Bool { metadata.starts(with: heading) }
}

extension SealedFileSummary {
  /// What the file says that it was sealed for: a state or a value that this package has saved, and nothing for any
  /// other file.
  ///
  /// Pass it as the context to open such a file without knowing what it is for. Of a file that was only inspected it
  /// proves nothing: an app that knows what it looks for says so itself.
  public var statedContext: [UInt8] {
    if let statePurpose { return statePurpose.context }
    return ValuePurpose.isStated(by: publicMetadata) ? publicMetadata : []
  }
}
