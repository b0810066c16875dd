/// The slots of a file while they are being changed (Spec/seal.md, section 8.4).
struct SlotRevision {
  private let unlocked: UnlockedHeader
  /// The slots at their old places, nil where one was taken away; new ones come last.
  private var slots: [Slot?]
  private var newcomers: [(recipient: SealRecipient, slot: Int?)] = []
  /// What the changes mean.
  private var touched: Set<Int> = []
  /// What the caller names, besides the slot that has opened the file.
  private var named: Set<Int> = []
  /// The slots that are written anew, by the index of the first that bears the recipient's mark.
  private var renewed: [Int: Slot] = [:]
  private var planted: Set<Int> = []

  init(_ unlocked: UnlockedHeader) {
    self.unlocked = unlocked
    slots = unlocked.header.slots
  }

  mutating func make(_ change: SealSlotChange) throws(SealError) {
    switch change {
    case .add(let recipient): newcomers.append((recipient, nil))
    case .remove(let selection): _ = try take(selection)
    case .replace(let selection, let recipient):
      newcomers.append((recipient, try take(selection)))
    }
  }

  private mutating func take(_ selection: SealSlotSelection) throws(SealError) -> Int {
    let indices = try unlocked.slots(selection)
    for index in indices {
      guard touched.insert(index).inserted else {
        throw SealError(.invalidKeys, slotIndex: index, detail: "slot \(index) is changed twice")
      }
      slots[index] = nil
    }
    return indices[0]
  }

  /// Names slots that stay, once all changes are made.
  ///
  /// The mark of a recipient can be copied by whoever has the data key: so a recipient gets a new slot, which is
  /// certainly for that one, and whatever else bears the mark goes.
  mutating func keep(_ selection: SealSlotSelection) throws(SealError) {
    let indices = try unlocked.slots(selection)
    for index in indices {
      guard !touched.contains(index) else {
        throw SealError(
          .invalidKeys, slotIndex: index, detail: "slot \(index) is both kept and changed")
      }
    }
    named.formUnion(indices)
    guard case .recipient(let recipient) = selection else { return }
    let first = indices[0]
    renewed[first] = try unlocked.header.slots[first].renewed(
      for: recipient, dataKey: unlocked.dataKey, fileID: unlocked.fileID)
    planted.formUnion(indices.dropFirst())
  }

  /// Checks the rules, and gives the slots as they are to be written.
  mutating func finish(
    keepsUnnamedSlots: Bool, allowsMixedPassphrase: Bool
  ) throws(SealError) -> (
    slots: [Slot], kept: [SealRewrapReport.KeptSlot], planted: [Int]
  ) {
    for index in planted { slots[index] = nil }
    let kept = try keptSlots(keepsUnnamedSlots)
    try requireNew()
    let isSole = try requireSoleSlotReplaced()
    for (index, slot) in renewed { slots[index] = slot }
    for (recipient, index) in newcomers {
      let slot = try Slot(
        wrapping: unlocked.dataKey, for: recipient, fileID: unlocked.fileID,
        randomness: .fresh(for: recipient), mark: isSole ? .sole : .none)
      if let index { slots[index] = slot } else { slots.append(slot) }
    }
    let result = slots.compactMap(\.self)
    try SlotRules.check(
      result.map(\.type), allowsMixedPassphrase: allowsMixedPassphrase || newcomers.isEmpty)
    return (result, kept, planted.sorted())
  }

  /// What is kept is reported, and refused when nobody has named it.
  private func keptSlots(
    _ keepsUnnamedSlots: Bool
  ) throws(SealError) -> [SealRewrapReport.KeptSlot] {
    var kept: [SealRewrapReport.KeptSlot] = []
    for (index, slot) in slots.enumerated() {
      guard let slot else { continue }
      let isNamed = index == unlocked.slot || named.contains(index)
      guard isNamed || keepsUnnamedSlots else {
        throw SealError(
          .missingRecipient, slotIndex: index, detail: "slot \(index), \(slot.type)")
      }
      kept.append(
        SealRewrapReport.KeptSlot(
          index: index, type: slot.type, isNamed: isNamed, isRenewed: renewed[index] != nil))
    }
    return kept
  }

  /// Whoever gets a slot beside, or after, a sole one learns the data key that older copies of the sole slot wrap,
  /// and could make files that seem to be for the passphrase alone.
  ///
  /// Returns whether the new slots are sole in turn.
  private func requireSoleSlotReplaced() throws(SealError) -> Bool {
    guard let index = unlocked.header.slots.firstIndex(where: \.isSole) else { return false }
    let isReplaced =
      newcomers.count == 1 && newcomers[0].recipient.slotType == .passphrase
      && slots.compactMap(\.self).isEmpty
    guard newcomers.isEmpty || isReplaced else {
      throw SealError(
        .invalidKeys, slotIndex: index,
        detail:
          "a file that was sealed for a passphrase alone can only get another passphrase; seal it "
          + "again for others")
    }
    return true
  }

  /// Section 4: no two slots for one recipient.
  private func requireNew() throws(SealError) {
    for (position, newcomer) in newcomers.enumerated() {
      var isNew = !newcomers[..<position].contains { $0.recipient.isSame(as: newcomer.recipient) }
      for index in slots.indices where isNew && slots[index] != nil {
        isNew = try !unlocked.isSlot(index, for: newcomer.recipient)
      }
      guard isNew else {
        throw SealError(.invalidKeys, detail: "a recipient would have two slots")
      }
    }
  }
}

extension UnlockedHeader {
  /// The header with other slots, and a MAC that fits them.
  func rewrapped(
    _ changes: [SealSlotChange], keeping: [SealSlotSelection], keepsUnnamedSlots: Bool,
    allowsMixedPassphrase: Bool, policy: SealPolicy
  ) throws(SealError) -> (SealedHeader, kept: [SealRewrapReport.KeptSlot], planted: [Int]) {
    try header.requireAffordable(
      changes.count(where: \.needsPassphrase) + keeping.count(where: \.needsPassphrase),
      policy: policy)
    var revision = SlotRevision(self)
    for change in changes { try revision.make(change) }
    for selection in keeping { try revision.keep(selection) }
    let (slots, kept, planted) = try revision.finish(
      keepsUnnamedSlots: keepsUnnamedSlots, allowsMixedPassphrase: allowsMixedPassphrase)
    return (try header.replacingSlots(slots, mac: schedule.headerMAC(of:)), kept, planted)
  }
}

extension SealSlotChange {
  /// Whether finding the slots that it means, or those of its newcomer, takes a passphrase.
  fileprivate var needsPassphrase: Bool {
    switch self {
    case .add(let recipient): recipient.slotType == .passphrase
    case .remove(let selection): selection.needsPassphrase
    case .replace(let old, with: let new):
      old.needsPassphrase || new.slotType == .passphrase
    }
  }
}

extension SealSlotSelection {
  /// Whether finding the slot takes a passphrase.
  fileprivate var needsPassphrase: Bool {
    if case .recipient(.passphrase) = self { true } else { false }
  }
}
