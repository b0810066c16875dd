/// The members of a container as they were when its first child was searched for.
///
/// Children are searched for in the order in which they were saved, which as a rule is the one in which
/// they stand today: most are found by one comparison.
@MainActor
struct Siblings<Member> {
  /// How often a container that may have changed is read again: a wide one with many children that are
  /// gone must not cost the product of both numbers.
  private static var rereadLimit: Int { 64 }

  /// The row of the container; -1 for the windows.
  let row: Int
  /// The container; `nil` for the windows.
  let container: (any RestorableNode)?
  private(set) var members: [Member]
  private var next = 0
  private var positions: [String: [Int]]?
  private var rereadCount = 0

  init(of row: Int, _ container: (any RestorableNode)?, _ members: [Member]) {
    self.row = row
    self.container = container
    self.members = members
  }

  /// Whether the members are so many that they are kept, since it costs more to read them again.
  var isWide: Bool { members.count > 16 }

  var mayBeReread: Bool { rereadCount < Self.rereadLimit }

  /// Takes over the members as they are now.
  mutating func reread(_ members: [Member]) {
    self.members = members
    next = 0
    positions = nil
    rereadCount += 1
  }

  /// Finds the member with an identifier that comes after as many others with it as the ordinal says.
  mutating func member(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?
  ) -> Member? {
    if positions == nil {
      if ordinal == 0, next < members.count, identify(members[next]) == identifier {
        next += 1
        return members[next - 1]
      }
      var positions: [String: [Int]] = [:]
      for (position, member) in members.enumerated() {
        if let identifier = identify(member) { positions[identifier, default: []].append(position) }
      }
      self.positions = positions
    }
    guard let found = positions?[identifier], Int(ordinal) < found.count else { return nil }
    return members[found[Int(ordinal)]]
  }
}
