public import KeepsakeSeal

/// The keys of a journal: the recipients of new entries, and the secrets that read existing entries.
///
/// A program that has only recipients can append, but cannot read back what it wrote.
public struct JournalKeys: Sendable {
  /// The recipients who can read the entries that are appended with these keys.
  public let recipients: [SealRecipient]
  /// The secrets that read existing entries; empty for a program that only appends.
  public let identities: [SealIdentity]
  /// The purpose of the journal, such as a bundle identifier; it is not stored, and a reader must pass the same.
  public let context: [UInt8]

  /// Creates keys.
  ///
  /// The recipients can read what is appended: keys and X25519 recipients, at most 32. A passphrase would make each
  /// opening slow; keep a key in a passphrase key file instead. The identities are the secrets that read existing
  /// entries. The context is the purpose of the journal, at most 65,536 bytes.
  public init(
    recipients: [SealRecipient], identities: [SealIdentity] = [], context: [UInt8] = []
  ) {
    self.recipients = recipients
    self.identities = identities
    self.context = context
  }

  /// One key, which writes and reads; the context is the purpose of the journal, at most 65,536 bytes.
  public static func key(_ key: SealKey, context: [UInt8] = []) -> JournalKeys {
    JournalKeys(recipients: [.key(key)], identities: [.key(key)], context: context)
  }

  /// Refuses keys that cannot write a journal.
  func requireWritable() throws(JournalError) {
    let recipients = recipients
    try asJournal { () throws(SealError) in try SlotTable.check(recipients) }
    guard context.count <= JournalFormat.maximumMetadataLength else {
      throw JournalError(.invalidOptions, detail: "context of \(context.count) bytes")
    }
  }

  /// Opens a header with the identities.
  func cipher(of header: SegmentHeader, path: String) throws(JournalError) -> FrameCipher {
    do throws(JournalError) {
      return try header.cipher(with: identities, context: context)
    } catch {
      throw error.at(path)
    }
  }
}
