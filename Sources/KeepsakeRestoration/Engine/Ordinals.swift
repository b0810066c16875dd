/// The number of siblings with the same identifier that come first, in a container that tells its
/// children apart by their order; zero in all others.
struct Ordinals {
  private var counts: [String: UInt32]?

  @MainActor
  init(of container: any RestorableNode, count: Int) {
    // A single child has no siblings to be told apart from.
    counts = count > 1 && container.disambiguatesRestorationChildren ? [:] : nil
  }

  var areCounted: Bool { counts != nil }

  /// The ordinal of the next sibling; each one counts, whether it is saved or not.
  mutating func next(_ identifier: String?) -> UInt32 {
    guard counts != nil, let identifier else { return 0 }
    let ordinal = counts?[identifier] ?? 0
    counts?[identifier] = ordinal + 1
    return ordinal
  }
}
