/// The result of a change of slots.
struct RevisedSlots {
  /// The new slots, in file order.
  var slots: [Slot] = []
  /// The old indices of the kept slots, in file order.
  var kept: [Int] = []
  /// The old indices of the kept slots that the caller did not name.
  var unnamed: [Int] = []
  /// The old indices of slots with a copied mark, which rightly belongs to another slot.
  var planted: [Int] = []
}

/// The slots of a file while they are being changed (Spec/replacement.md, section 4).
struct SlotRevision {
  private let unlocked: UnlockedHeader
  /// The slots at their old indices, nil where one was removed.
  private var slots: [Slot?]
  private var removed: Set<Int> = []
  /// The slots that the caller names, besides the one that opened the file.
  private var named: Set<Int> = []
  /// The slots that are rewritten, by the index of the first slot that fits the recipient.
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

  /// Names slots that stay; called after all removals.
  ///
  /// Anyone with the data key can copy the mark of a recipient. So a named recipient gets a new slot, which
  /// is certainly theirs, and other slots with the mark are removed.
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

  /// Checks the rules, and returns the new slots.
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

  /// The slots that stay; refuses slots that the caller did not name, unless `keepsUnnamedSlots` is set.
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

  /// Refuses to add slots beside a sole slot, or to replace it by a slot of another type.
  ///
  /// A new recipient learns the data key that older copies of the sole slot wrap, and could make files that
  /// seem to be for the passphrase alone. Returns true when the new slots are sole too.
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

  /// Checks that no recipient has two slots (Spec/replacement.md, section 4).
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
  /// The header with other slots and a matching MAC.
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
  /// The recipient whose slot is selected; nil when the slot is selected by its index.
  var recipient: SealRecipient? {
    if case .recipient(let recipient) = self { recipient } else { nil }
  }
}
