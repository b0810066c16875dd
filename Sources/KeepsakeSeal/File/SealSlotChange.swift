/// One change of who can open a sealed file; see
/// ``SealedFile/rewrap(_:with:changes:keeping:keepsUnnamedSlots:context:expecting:allowsMixedPassphrase:policy:progress:)``.
public enum SealSlotChange: Sendable {
  /// One more recipient.
  case add(SealRecipient)
  /// One recipient less.
  case remove(SealSlotSelection)
  /// Another recipient in place of one, such as a new passphrase.
  case replace(SealSlotSelection, with: SealRecipient)
}

/// Which slot of a sealed file is meant.
public enum SealSlotSelection: Sendable {
  /// The slot that was written for a recipient.
  ///
  /// A raw key or a passphrase is found by its slot's commitment, an X25519 recipient by its hint.
  case recipient(SealRecipient)
  /// The slot with an index, as ``SealedFileSummary/slotTypes`` counts them; for recipients whose
  /// key is not at hand.
  case slot(Int)
}

/// What a change of slots has left in a file.
public struct SealRewrapReport: Sendable, Equatable {
  /// A slot whose recipient has one as before.
  public struct KeptSlot: Sendable, Equatable {
    /// The index that it had before the change.
    public let index: Int
    /// What kind of key opens it.
    public let type: SealSlotType
    /// Whether the caller named it, or opened the file with it; otherwise nobody knows for whom it is, and
    /// somebody who once had a key may have planted it.
    public let isNamed: Bool
    /// Whether it was written anew, since its recipient was named: then it is certainly for that one.
    public let isRenewed: Bool

    init(index: Int, type: SealSlotType, isNamed: Bool, isRenewed: Bool = false) {
      self.index = index
      self.type = type
      self.isNamed = isNamed
      self.isRenewed = isRenewed
    }
  }

  /// What anyone can read of the file now.
  public let summary: SealedFileSummary

  /// Every slot that was kept, in file order.
  public let keptSlots: [KeptSlot]

  /// The indices, before the change, of further slots that bore the mark of a recipient who was named: a recipient
  /// has one, so somebody has planted them, and they were removed.
  public let plantedSlots: [Int]
}
