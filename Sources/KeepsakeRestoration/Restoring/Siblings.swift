import KeepsakeArchive

/// The members of a container as they were when its first child was searched for.
///
/// Children are searched for in the order in which they were saved, which as a rule is the one in which
/// they stand today: most are found by one comparison.
@MainActor
struct Siblings<Member> {
  /// How often a container that may have changed is read again: a wide one with many children that are
  /// gone must not cost the product of both numbers.
  private static var rereadLimit: Int { 64 }

  /// The row of the container; `nil` for the windows.
  let row: Int?
  private(set) var members: [Member]
  private var next = 0
  private var positions: [NameKey: [Int]]?
  private var rereadCount = 0

  init(of row: Int?, _ members: [Member]) {
    self.row = row
    self.members = members
  }

  /// Whether the members are so many that they are kept, since it costs more to read them again.
  var isWide: Bool { members.count > 16 }

  /// Finds a member, in the container as it is now if it was not there before.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - ordinal: How many members with the identifier come first.
  ///   - identify: Gives the identifier of a member.
  ///   - isRight: Whether a member that was found is still where it was.
  ///   - read: Gives the members as they are now.
  /// - Returns: The member, or `nil` when there is none.
  mutating func find(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?,
    where isRight: (Member) -> Bool = { _ in true }, read: () -> [Member]
  ) -> Member? {
    let found = member(identifier, ordinal: ordinal, identify)
    if let found, isRight(found) { return found }
    // A factory that was asked in the meantime may have changed the container.
    guard rereadCount < Self.rereadLimit else { return nil }
    members = read()
    next = 0
    positions = nil
    rereadCount += 1
    return member(identifier, ordinal: ordinal, identify)
  }

  private mutating func member(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?
  ) -> Member? {
    if positions == nil, ordinal == 0, next < members.count,
      identify(members[next])?.hasSameBytes(as: identifier) == true
    {
      next += 1
      return members[next - 1]
    }
    if positions == nil {
      var found: [NameKey: [Int]] = [:]
      for (position, member) in members.enumerated() {
        if let identifier = identify(member) {
          found[NameKey(identifier), default: []].append(position)
        }
      }
      positions = found
    }
    guard let found = positions?[NameKey(identifier)], Int(ordinal) < found.count else {
      return nil
    }
    return members[found[Int(ordinal)]]
  }
}
