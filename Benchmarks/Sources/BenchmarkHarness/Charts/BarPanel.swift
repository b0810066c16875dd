/// Horizontal bars from zero, one for each subject, with the value behind each.
///
/// Where there are many, one that would be eight times as long as the next is cut off and marked, so
/// that it does not press the others flat; its value still stands behind it.
package struct BarPanel {
  package struct Bar: Equatable {
    package enum Role: String {
      case own, near, peer, limit
    }

    package var name: String
    package var value: Double
    package var label: String
    package var role: Role

    package init(name: String, value: Double, label: String, role: Role) {
      self.name = name
      self.value = value
      self.label = label
      self.role = role
    }
  }

  package var title: String
  package var bars: [Bar]

  package init(title: String, bars: [Bar]) {
    self.title = title
    self.bars = bars
  }

  private static let rowHeight = 22.0
  private static let nameWidth = 190.0
  private static let labelWidth = 140.0

  package var height: Double { 26 + Double(bars.count) * Self.rowHeight + 12 }

  /// The value at which bars end that are much longer than the rest.
  package var longest: Double {
    let values = bars.map(\.value).sorted()
    guard let last = values.last else { return 1 }
    let before = values.dropLast().last ?? last
    return values.count >= 5 && last > 8 * before && before > 0 ? before * 1.2 : last
  }

  package func draw(on canvas: inout SVGCanvas, y top: Double) {
    canvas.text(title, x: 16, y: top + 14, style: "strong")
    let room = canvas.width - Self.nameWidth - Self.labelWidth - 32
    for (index, bar) in bars.enumerated() {
      let y = top + 26 + Double(index) * Self.rowHeight
      let isCut = bar.value > longest
      let length = max(1.5, min(bar.value, longest) / max(longest, .leastNonzeroMagnitude) * room)
      let x = 16 + Self.nameWidth
      canvas.text(
        bar.name, x: x - 8, y: y + 13, anchor: .end, style: bar.role == .own ? "strong" : "")
      canvas.rectangle(
        x: x, y: y + 3, width: length, height: 14, radius: length > 4 ? 3 : 0,
        style: bar.role.rawValue)
      if isCut {
        for offset in [18.0, 24] {
          canvas.rectangle(x: x + length - offset, y: y + 2, width: 3, height: 16, style: "break")
        }
      }
      canvas.text(
        bar.label, x: x + length + 6, y: y + 14, style: bar.role == .own ? "strong" : "")
    }
  }
}
