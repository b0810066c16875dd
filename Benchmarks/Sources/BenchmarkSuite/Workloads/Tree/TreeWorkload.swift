/// Nested views, ten in each, to a depth that gives 1,111 or 11,111 of them.
enum TreeWorkload {
  /// A tree with this many levels below the root: 3 gives 1,111 views, 4 gives 11,111.
  static func make(depth: Int) -> ViewRecord {
    var random = PermutedCongruentialGenerator.published
    return view(depth: depth, path: "window", &random)
  }

  static func count(depth: Int) -> Int {
    depth == 0 ? 1 : 1 + 10 * count(depth: depth - 1)
  }

  private static func view(
    depth: Int, path: String, _ random: inout PermutedCongruentialGenerator
  ) -> ViewRecord {
    let kind = random.element(of: kinds)
    let frame = ViewRecord.Frame(
      x: length(&random), y: length(&random), width: length(&random), height: length(&random))
    let text = random.optional { random in
      "\(random.element(of: words)) \(random.element(of: words)) \(random.next32(below: 1000))"
    }
    return ViewRecord(
      identifier: "\(kind)-\(random.next32(below: 1_000_000))", frame: frame,
      background: random.element(of: colours), alpha: Double(random.next32(below: 101)) / 100,
      isHidden: random.next32(below: 10) == 0, tag: Int64(random.next32(below: 1 << 20)),
      text: text,
      children: depth == 0
        ? [] : (0..<10).map { _ in view(depth: depth - 1, path: path, &random) })
  }

  private static func length(_ random: inout PermutedCongruentialGenerator) -> Double {
    Double(random.next32(below: 4096)) / 4
  }

  private static let kinds = ["stack", "label", "button", "image", "field", "table", "cell"]
  private static let colours = ["systemBackground", "clear", "#1E90FF", "#FFFFFFCC", "tint"]
  private static let words = [
    "Contacts", "Edit", "Done", "Grüße", "Phone", "Über", "Photo", "Save", "Naïve", "Cancel",
  ]
}
