public import KeepsakeSeal
import Synchronization

/// The key of a value's file: a passphrase, a key, a key store, or the keys of several people.
public struct SealedValueKey: Sendable {
  private enum Kind {
    case passphrase(String, PassphraseCost)
    case cachedPassphrase(CachedPassphrase, PassphraseCost)
    case key(SealKey)
    case store(any KeyStore)
    case recipients([SealRecipient], [SealIdentity])
  }

  private let kind: Kind
  /// The purpose of the value, set by ``forPurpose(_:)``.
  private(set) var purpose = ValuePurpose(name: "")

  private init(kind: Kind) { self.kind = kind }

  /// A passphrase; its cost applies to each save and each load of a ``SealedValue``.
  ///
  /// A ``SealedValueStore`` derives its key once, and keeps it in guarded memory as long as the store lives.
  ///
  /// The library wipes its own copies of the text, but cannot wipe the `String` itself.
  ///
  /// - Parameters:
  ///   - text: The passphrase, as the user typed it.
  ///   - cost: The cost of each guess at the passphrase of a saved file.
  /// - Returns: The passphrase as a key.
  public static func passphrase(
    _ text: String, cost: PassphraseCost = .standard
  ) -> SealedValueKey {
    SealedValueKey(kind: .passphrase(text, cost))
  }

  /// A key that the app has.
  public static func key(_ key: SealKey) -> SealedValueKey { SealedValueKey(kind: .key(key)) }

  /// The key of a key store; it is made for the first file that needs it, but never beside a file that an older key has
  /// sealed.
  public static func keyStore(_ store: any KeyStore) -> SealedValueKey {
    SealedValueKey(kind: .store(store))
  }

  /// The keys of several people: each of them opens the value.
  ///
  /// A file is saved for the recipients, between 1 and 32, and an identity opens it. A program that only loads needs no
  /// recipients, and one that only saves needs no identities. A ``SealedValueStore`` derives the keys of passphrases
  /// among them once, before it locks the file.
  public static func recipients(
    _ recipients: [SealRecipient], identities: [SealIdentity] = []
  ) -> SealedValueKey {
    SealedValueKey(kind: .recipients(recipients, identities))
  }

  /// The same key for values of one purpose only, such as `settings`: among several files with one key, none is
  /// accepted in place of another.
  ///
  /// The purpose is the same for each save and each load, and has at most 65,519 bytes of UTF-8. It is not secret:
  /// it can be read in the file.
  public func forPurpose(_ purpose: String) -> SealedValueKey {
    var key = self
    key.purpose = ValuePurpose(name: purpose)
    return key
  }

  var isPassphrase: Bool {
    switch kind {
    case .passphrase, .cachedPassphrase: true
    default: false
    }
  }

  /// The recipients of a file; a key store may make a new key only when no file exists that an older key may have
  /// sealed.
  func recipients(isNew: Bool) throws(KeepsakeError) -> [SealRecipient] {
    switch kind {
    case .passphrase(let text, let cost):
      [.passphrase(try SealPassphrase(typed: text), cost: cost)]
    case .cachedPassphrase(let kept, let cost):
      [.passphrase(try kept.passphrase(), cost: cost)]
    case .key(let key): [.key(key)]
    case .store(let store): [.key(try isNew ? store.existingOrNewKey() : store.existingKey())]
    case .recipients(let recipients, _): recipients
    }
  }

  func identities() throws(KeepsakeError) -> [SealIdentity] {
    switch kind {
    case .passphrase(let text, _): [.passphrase(try SealPassphrase(typed: text))]
    case .cachedPassphrase(let kept, _): [.passphrase(try kept.passphrase())]
    case .key(let key): [.key(key)]
    case .store(let store): [.key(try store.existingKey())]
    case .recipients(_, let identities): identities
    }
  }

}

// Keys that are derived once, before a file is locked.
extension SealedValueKey {
  /// The same key for a store: a key that is derived from a passphrase is kept as long as the store.
  package func cachingDerivedKeys() -> SealedValueKey {
    let kept: Kind
    switch kind {
    case .passphrase(let text, let cost): kept = .cachedPassphrase(CachedPassphrase(text), cost)
    case .recipients(let recipients, let identities):
      let (recipients, identities) = SealPassphrase.cachingDerivedKeys(recipients, identities)
      kept = .recipients(recipients, identities)
    case .cachedPassphrase, .key, .store: return self
    }
    var key = SealedValueKey(kind: kept)
    key.purpose = purpose
    return key
  }

  /// The recipients and identities that may have passphrases; nil for a key that needs no derivation.
  private func derivable() throws(KeepsakeError) -> ([SealRecipient], [SealIdentity])? {
    switch kind {
    case .cachedPassphrase, .recipients: (try recipients(isNew: false), try identities())
    case .passphrase, .key, .store: nil
    }
  }

  /// Derives what reading or replacing a file needs.
  func derive(for path: String, isWriting: Bool) throws(KeepsakeError) {
    guard let (recipients, identities) = try derivable() else { return }
    do throws(SealError) {
      try identities.deriveKeys(openingFileAt: path)
      if isWriting { for recipient in recipients { try recipient.deriveKey() } }
    } catch {
      throw KeepsakeError(.storeUnavailable, error.description, error)
    }
  }

  /// True when reading the file needs no further derivation; another process may have replaced it meanwhile.
  func isDerived(for path: String) throws(KeepsakeError) -> Bool {
    guard let (_, identities) = try derivable() else { return true }
    do throws(SealError) {
      return try identities.hasKeys(openingFileAt: path)
    } catch {
      throw KeepsakeError(.storeUnavailable, error.description, error)
    }
  }
}

/// A passphrase whose derived keys are kept in guarded memory.
private final class CachedPassphrase: Sendable {
  private let text: String
  private let known = Mutex<SealPassphrase?>(nil)

  init(_ text: String) { self.text = text }

  /// The passphrase, checked and copied at the first use.
  func passphrase() throws(KeepsakeError) -> SealPassphrase {
    if let passphrase = known.withLock({ $0 }) { return passphrase }
    let new = try SealPassphrase(typed: text).cachingDerivedKeys()
    return known.withLock { known in
      let passphrase = known ?? new
      known = passphrase
      return passphrase
    }
  }
}

extension SealPassphrase {
  /// Takes a passphrase as the user typed it.
  fileprivate convenience init(typed text: String) throws(KeepsakeError) {
    do throws(SealError) {
      try self.init(text)
    } catch {
      throw KeepsakeError(.keyUnavailable, error.description, error)
    }
  }
}

/// The purpose of a value's file, so that no other file with the same key is accepted in its place (Spec/state.md,
/// section 6.1).
package struct ValuePurpose: Hashable {
  /// The purpose in the app's own words; empty when the app states none.
  let name: String

  package init(name: String) { self.name = name }

  private static let heading = Array("keepsake value 0\n".utf8)

  /// The context that the file is sealed with, which is also its public metadata.
  package var context: [UInt8] { Self.heading + Array(name.utf8) }

  /// Whether public metadata belongs to the file of a value.
  package static func isStated(by metadata: [UInt8]) -> Bool { metadata.starts(with: heading) }
}

extension SealedFileSummary {
  /// The context that the file states itself, if this package has saved it as a state or a value; empty for any other
  /// file.
  ///
  /// Pass it as the context to open such a file without knowing its purpose. If the file was only inspected, the
  /// context is not verified: an app that knows the purpose should state it itself.
  public var statedContext: [UInt8] {
    if let statePurpose { return statePurpose.context }
    return ValuePurpose.isStated(by: publicMetadata) ? publicMetadata : []
  }
}
