/// Two texts beside each other, line by line, with a mark where they differ.
struct SideBySide {
  let lines: [String]
  /// The number of lines that differ.
  let differenceCount: Int

  init(_ left: [String], _ right: [String], titles: (String, String)) {
    let width = (left + [titles.0]).map(\.count).max() ?? 0
    let pad = { (text: String) in
      text + String(repeating: " ", count: width - text.count)
    }
    let count = max(left.count, right.count)
    let pairs = (0..<count).map { index in
      (
        left: index < left.count ? left[index] : "",
        right: index < right.count ? right[index] : ""
      )
    }
    differenceCount = pairs.count { $0.left != $0.right }
    lines =
      [pad(titles.0) + "   " + titles.1]
      + pairs.map { pad($0.left) + ($0.left == $0.right ? " = " : " ! ") + $0.right }
  }
}
