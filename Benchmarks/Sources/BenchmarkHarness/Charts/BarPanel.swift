import Foundation

/// Horizontal bars, one for each subject: its name and its value on a line, the bar below them.
///
/// If the largest value is more than twenty times the smallest, lengths are logarithmic, so that the best
/// bars are visible; lines at powers of ten show this.
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
  /// The text of a power of ten at its line.
  package var formatTick: (Double) -> String

  package init(
    title: String, bars: [Bar], formatTick: @escaping (Double) -> String = Figures.short
  ) {
    self.title = title
    self.bars = bars
    self.formatTick = formatTick
  }

  private static let rowHeight = 28.0
  private static let top = 26.0
  private static let margin = 16.0

  package var height: Double {
    Self.top + Double(bars.count) * Self.rowHeight + (isLogarithmic ? 22 : 4)
  }

  /// True when lengths are logarithmic.
  package var isLogarithmic: Bool {
    let values = bars.map(\.value)
    guard let smallest = values.min(), let largest = values.max(), smallest > 0 else {
      return false
    }
    return largest > 20 * smallest
  }

  /// The powers of ten around the values, the first well below the smallest one.
  package var decades: [Double] {
    let values = bars.map(\.value)
    guard isLogarithmic, let smallest = values.min(), let largest = values.max() else { return [] }
    return LinePanel.decades(from: smallest / 2, to: largest)
  }

  /// The length of a bar as a fraction of the longest possible one.
  package func fraction(of value: Double) -> Double {
    let decades = decades
    guard let first = decades.first, let last = decades.last else {
      return value / max(bars.map(\.value).max() ?? 1, .leastNonzeroMagnitude)
    }
    return (log10(value) - log10(first)) / (log10(last) - log10(first))
  }

  package func draw(on canvas: inout SVGCanvas, y origin: Double) {
    let heading = isLogarithmic ? "\(title) (logarithmic)" : title
    canvas.text(heading, x: Self.margin, y: origin + 14, style: "strong")
    let room = canvas.width - 2 * Self.margin
    let bottom = origin + Self.top + Double(bars.count) * Self.rowHeight
    for mark in marks(on: canvas) {
      canvas.text(mark.text, x: mark.place, y: bottom + 12, anchor: .middle, style: "small")
    }
    for (index, bar) in bars.enumerated() {
      let y = origin + Self.top + Double(index) * Self.rowHeight
      // The lines are as high as the bar, so that none crosses a name or a number.
      for decade in decades {
        let x = Self.margin + fraction(of: decade) * room
        canvas.line([(x, y + 15), (x, y + 25)], style: "grid")
      }
      let style = bar.role == .own ? "strong" : ""
      canvas.text(bar.name, x: Self.margin, y: y + 11, style: style)
      canvas.text(
        bar.label, x: canvas.width - Self.margin, y: y + 11, anchor: .end, style: style)
      canvas.rectangle(
        x: Self.margin, y: y + 16, width: max(1.5, fraction(of: bar.value) * room), height: 8,
        radius: 2, style: bar.role.rawValue)
    }
  }

  /// The texts of the powers of ten, moved into the picture at both ends.
  private func marks(on canvas: SVGCanvas) -> [LinePanel.Mark] {
    let room = canvas.width - 2 * Self.margin
    let marks = decades.map { decade in
      let text = formatTick(decade)
      let half = SVGCanvas.width(of: text, size: 11) / 2
      let place = min(max(fraction(of: decade) * room, half), room - half)
      return LinePanel.Mark(text: text, place: Self.margin + place)
    }
    return LinePanel.readable(marks)
  }
}
