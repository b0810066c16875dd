/// The slots of a file as a change leaves them.
struct RevisedSlots {
  /// As they are to be written.
  var slots: [Slot] = []
  /// The indices, before the change, of those that were kept, in file order.
  var kept: [Int] = []
  /// Those of them that nobody has named.
  var unnamed: [Int] = []
  /// The indices of those that bore a mark which another one bears rightly.
  var planted: [Int] = []
}

/// The slots of a file while they are being changed (Spec/replacement.md, section 4).
struct SlotRevision {
  private let unlocked: UnlockedHeader
  /// The slots at their old places, nil where one was taken away.
  private var slots: [Slot?]
  private var removed: Set<Int> = []
  /// What the caller names, besides the slot that has opened the file.
  private var named: Set<Int> = []
  /// The slots that are written anew, by the index of the first that bears the recipient's mark.
  private var renewed: [Int: Slot] = [:]
  private var planted: Set<Int> = []

  init(_ unlocked: UnlockedHeader) {
    self.unlocked = unlocked
    slots = unlocked.header.slots
  }

  mutating func remove(_ selection: SealSlotSelection) throws(SealError) {
    for index in try unlocked.slots(selection) {
      guard removed.insert(index).inserted else {
        throw SealError(.invalidKeys, slotIndex: index, detail: "slot \(index) is removed twice")
      }
      slots[index] = nil
    }
  }

  /// Names slots that stay, once all others are removed.
  ///
  /// The mark of a recipient can be copied by whoever has the data key: so a recipient gets a new slot, which is
  /// certainly for that one, and whatever else bears the mark goes.
  mutating func keep(_ selection: SealSlotSelection) throws(SealError) {
    let indices = try unlocked.slots(selection)
    for index in indices {
      guard !removed.contains(index) else {
        throw SealError(
          .invalidKeys, slotIndex: index, detail: "slot \(index) is both kept and removed")
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
    adding newcomers: [SealRecipient], keepsUnnamedSlots: Bool, allowsMixedPassphrase: Bool
  ) throws(SealError) -> RevisedSlots {
    for index in planted { slots[index] = nil }
    var result = try keptSlots(keepsUnnamedSlots)
    try requireNew(newcomers)
    let isSole = try requireSoleSlotReplaced(by: newcomers)
    for recipient in newcomers {
      result.slots.append(
        try Slot(
          wrapping: unlocked.dataKey, for: recipient, fileID: unlocked.fileID,
          randomness: .fresh(for: recipient), mark: isSole ? .sole : .none))
    }
    try SlotRules.check(
      result.slots.map(\.type),
      allowsMixedPassphrase: allowsMixedPassphrase || newcomers.isEmpty)
    return result
  }

  /// What is kept is reported, and refused when nobody has named it.
  private func keptSlots(_ keepsUnnamedSlots: Bool) throws(SealError) -> RevisedSlots {
    var result = RevisedSlots(planted: planted.sorted())
    for (index, slot) in slots.enumerated() {
      guard let slot else { continue }
      if index != unlocked.slot, !named.contains(index) {
        guard keepsUnnamedSlots else {
          throw SealError(
            .missingRecipient, slotIndex: index, detail: "slot \(index), \(slot.type)")
        }
        result.unnamed.append(index)
      }
      result.kept.append(index)
      result.slots.append(renewed[index] ?? slot)
    }
    return result
  }

  /// Whoever gets a slot beside, or after, a sole one learns the data key that older copies of the sole slot wrap,
  /// and could make files that seem to be for the passphrase alone.
  ///
  /// Returns whether the new slots are sole in turn.
  private func requireSoleSlotReplaced(by newcomers: [SealRecipient]) throws(SealError) -> Bool {
    guard let index = unlocked.header.slots.firstIndex(where: \.isSole) else { return false }
    let isReplaced =
      newcomers.count == 1 && newcomers[0].slotType == .passphrase
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
  private func requireNew(_ newcomers: [SealRecipient]) throws(SealError) {
    for (position, newcomer) in newcomers.enumerated() {
      var isNew = !newcomers[..<position].contains { $0.isSame(as: newcomer) }
      for index in slots.indices where isNew && slots[index] != nil {
        isNew = try !unlocked.isSlot(index, for: newcomer)
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
    adding newcomers: [SealRecipient], removing: [SealSlotSelection],
    keeping: [SealSlotSelection], keepsUnnamedSlots: Bool, allowsMixedPassphrase: Bool,
    policy: SealPolicy
  ) throws(SealError) -> (header: SealedHeader, slots: RevisedSlots) {
    try requireAffordable(newcomers + (removing + keeping).compactMap(\.recipient), policy: policy)
    var revision = SlotRevision(self)
    for selection in removing { try revision.remove(selection) }
    for selection in keeping { try revision.keep(selection) }
    let revised = try revision.finish(
      adding: newcomers, keepsUnnamedSlots: keepsUnnamedSlots,
      allowsMixedPassphrase: allowsMixedPassphrase)
    return (try header.replacingSlots(revised.slots, mac: schedule.headerMAC(of:)), revised)
  }
}

extension SealSlotSelection {
  /// The recipient whose slot is looked for; nil where the slot is named by its index.
  var recipient: SealRecipient? {
    if case .recipient(let recipient) = self { recipient } else { nil }
  }
}
