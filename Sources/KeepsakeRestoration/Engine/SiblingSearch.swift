/// The members of a container as they were when its first child was searched for.
///
/// Children are searched for in the order in which they were saved, which as a rule is the one in which
/// they stand today: most are found by one comparison.
struct Siblings {
  /// How often a container that may have changed is looked at again: a wide one with many children that
  /// are gone must not cost the product of both numbers.
  static let rereadLimit = 64

  private let members: [Participant]
  private var next = 0
  private var positions: [String: [Int]]?
  var rereadCount: Int

  init(_ members: [Participant], rereadCount: Int = 0) {
    self.members = members
    self.rereadCount = rereadCount
  }

  var count: Int { members.count }

  /// Finds the member that has an identifier, after as many others with it as the ordinal says.
  @MainActor
  mutating func member(_ identifier: String, ordinal: UInt32) -> Participant? {
    if positions == nil, ordinal == 0, next < members.count,
      members[next].identifier == identifier
    {
      next += 1
      return members[next - 1]
    }
    if positions == nil {
      var positions: [String: [Int]] = [:]
      for (position, member) in members.enumerated() {
        if let identifier = member.identifier {
          positions[identifier, default: []].append(position)
        }
      }
      self.positions = positions
    }
    guard let found = positions?[identifier], Int(ordinal) < found.count else { return nil }
    return members[found[Int(ordinal)]]
  }
}

/// The containers whose children are searched for at the moment.
struct SiblingSearch {
  struct Key: Hashable {
    /// The row of the container; -1 for the windows.
    let row: Int
    let isOfViews: Bool
  }

  /// Containers with more members are kept, since they cost more to read again.
  private static let keptCount = 16

  private var key = Key(row: -2, isOfViews: false)
  private var current = Siblings([])
  private var kept: [Key: Siblings] = [:]

  /// Finds a member of a container, reading the container where that was not done before.
  @MainActor
  mutating func member(
    _ identifier: String, ordinal: UInt32, of key: Key, isPresent: (Participant) -> Bool,
    read: () -> [Participant]
  ) -> Participant? {
    if self.key != key {
      if current.count > Self.keptCount { kept[self.key] = current }
      current = kept[key] ?? Siblings(read())
      self.key = key
    }
    if let member = current.member(identifier, ordinal: ordinal), isPresent(member) {
      return member
    }
    // A factory that was asked in the meantime may have changed the container.
    guard current.rereadCount < Siblings.rereadLimit else { return nil }
    current = Siblings(read(), rereadCount: current.rereadCount + 1)
    return current.member(identifier, ordinal: ordinal)
  }
}
