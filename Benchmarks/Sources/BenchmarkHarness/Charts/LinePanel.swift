import Foundation

/// Lines over a size, with a dot for each measurement and a list of their names below.
package struct LinePanel {
  package struct Series {
    package var name: String
    package var points: [(x: Double, y: Double)]
    package var isLimit: Bool

    package init(name: String, points: [(x: Double, y: Double)], isLimit: Bool = false) {
      self.name = name
      self.points = points
      self.isLimit = isLimit
    }
  }

  package var title: String
  package var series: [Series]
  /// True when the values are drawn on a logarithmic scale; the sizes always are.
  package var isLogarithmic: Bool
  package var formatX: (Double) -> String
  package var formatY: (Double) -> String

  package init(
    title: String, series: [Series], isLogarithmic: Bool, formatX: @escaping (Double) -> String,
    formatY: @escaping (Double) -> String
  ) {
    self.title = title
    self.series = series
    self.isLogarithmic = isLogarithmic
    self.formatX = formatX
    self.formatY = formatY
  }

  package var height: Double { plotHeight + Double(series.count) * 17 + 4 }
  private let plotHeight = 240.0
  private let left = 66.0
  private let right = 24.0
  private let top = 34.0
  private let bottom = 34.0

  package func draw(on canvas: inout SVGCanvas, y origin: Double) {
    let points = series.flatMap(\.points)
    guard let smallestX = points.map(\.x).min(), let largestX = points.map(\.x).max(),
      let largestY = points.map(\.y).max(), let smallestY = points.map(\.y).min()
    else { return }
    let horizontal = Scale(
      from: log10(smallestX), to: log10(largestX), at: left, length: canvas.width - left - right
    )
    let ticks =
      isLogarithmic
      ? Self.decades(from: smallestY, to: largestY) : Self.steps(to: largestY)
    let vertical = Scale(
      from: position(ticks.first ?? 0), to: position(ticks.last ?? 1),
      at: origin + plotHeight - bottom, length: -(plotHeight - top - bottom))

    canvas.text(title, x: 16, y: origin + 14, style: "strong")
    for tick in ticks {
      let y = vertical(position(tick))
      canvas.line([(left, y), (canvas.width - right, y)], style: "grid")
      canvas.text(formatY(tick), x: left - 8, y: y + 4, anchor: .end, style: "small")
    }
    let marks = Set(points.map(\.x)).sorted().map { x in
      Mark(text: formatX(x), place: horizontal(log10(x)))
    }
    for mark in Self.readable(marks) {
      canvas.text(
        mark.text, x: mark.place, y: origin + plotHeight - bottom + 18, anchor: .middle,
        style: "small")
    }
    drawLines(on: &canvas, horizontal, vertical)
    drawNames(on: &canvas, y: origin + plotHeight)
  }

  private func drawLines(on canvas: inout SVGCanvas, _ horizontal: Scale, _ vertical: Scale) {
    for (line, style) in zip(series, styles) {
      let places = line.points.map { (x: horizontal(log10($0.x)), y: vertical(position($0.y))) }
      canvas.line(places, style: "series \(style)")
      for (point, place) in zip(line.points, places) {
        canvas.dot(
          x: place.x, y: place.y, radius: 4.5, style: "dot \(style)",
          title: "\(line.name), \(formatX(point.x)): \(formatY(point.y))")
      }
    }
  }

  private func drawNames(on canvas: inout SVGCanvas, y origin: Double) {
    for (index, (line, style)) in zip(series, styles).enumerated() {
      let y = origin + Double(index) * 17 + 8
      canvas.dot(x: left, y: y, radius: 4, style: "dot \(style)", title: line.name)
      canvas.text(line.name, x: left + 10, y: y + 4, style: "")
    }
  }

  /// The class of each line: limits are dashed, the others each have a colour.
  private var styles: [String] {
    var colour = -1
    return series.map { line in
      if line.isLimit { return "limitline" }
      colour += 1
      return "c\(min(colour, 5))"
    }
  }

  /// The text of a mark of an axis, and its middle.
  package struct Mark: Equatable {
    package var text: String
    package var place: Double

    package init(text: String, place: Double) {
      self.text = text
      self.place = place
    }

    private var halfWidth: Double { SVGCanvas.width(of: text, size: 11) / 2 }

    fileprivate func isClear(of other: Mark) -> Bool {
      abs(place - other.place) >= halfWidth + other.halfWidth + 6
    }
  }

  /// The marks that do not overlap; the last one is always included.
  package static func readable(_ marks: [Mark]) -> [Mark] {
    var kept: [Mark] = []
    for mark in marks.reversed() where kept.last?.isClear(of: mark) ?? true { kept.append(mark) }
    return kept.reversed()
  }

  private func position(_ value: Double) -> Double {
    isLogarithmic ? log10(max(value, .leastNonzeroMagnitude)) : value
  }

  /// The powers of ten around a range.
  package static func decades(from smallest: Double, to largest: Double) -> [Double] {
    let first = Int(log10(smallest).rounded(.down))
    let last = max(first + 1, Int(log10(largest).rounded(.up)))
    let stride = last - first > 6 ? 2 : 1
    var decades = Swift.stride(from: first, to: last, by: stride).map { pow(10, Double($0)) }
    decades.append(pow(10, Double(last)))
    return decades
  }

  /// Some round numbers from zero to at least a value.
  package static func steps(to largest: Double) -> [Double] {
    guard largest > 0 else { return [0, 1] }
    let unit = pow(10, log10(largest).rounded(.down))
    let step = [0.2, 0.5, 1, 2].map { $0 * unit }.first { largest / $0 <= 5 } ?? unit
    let count = Int((largest / step).rounded(.up))
    return (0...count).map { Double($0) * step }
  }

  /// A linear scale from values to positions.
  private struct Scale {
    let from: Double
    let to: Double
    let at: Double
    let length: Double

    func callAsFunction(_ value: Double) -> Double {
      at + (to > from ? (value - from) / (to - from) : 0.5) * length
    }
  }
}
