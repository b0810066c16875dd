import Foundation

/// Lines over a size, with a dot for each measurement and the name at the end of each line.
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
  /// Whether the values are drawn by their logarithms; the sizes always are.
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

  package let height = 300.0
  private let left = 78.0
  private let nameWidth = 230.0
  private let top = 34.0
  private let bottom = 34.0

  package func draw(on canvas: inout SVGCanvas, y origin: Double) {
    let points = series.flatMap(\.points)
    guard let smallestX = points.map(\.x).min(), let largestX = points.map(\.x).max(),
      let largestY = points.map(\.y).max(), let smallestY = points.map(\.y).min()
    else { return }
    let horizontal = Scale(
      from: log10(smallestX), to: log10(largestX), at: left, length: canvas.width - left - nameWidth
    )
    let ticks =
      isLogarithmic
      ? Self.decades(from: smallestY, to: largestY) : Self.steps(to: largestY)
    let vertical = Scale(
      from: position(ticks.first ?? 0), to: position(ticks.last ?? 1),
      at: origin + height - bottom, length: -(height - top - bottom))

    canvas.text(title, x: 16, y: origin + 14, style: "strong")
    for tick in ticks {
      let y = vertical(position(tick))
      canvas.line([(left, y), (canvas.width - nameWidth, y)], style: "grid")
      canvas.text(formatY(tick), x: left - 8, y: y + 4, anchor: .end, style: "small")
    }
    for x in Set(points.map(\.x)).sorted() {
      canvas.text(
        formatX(x), x: horizontal(log10(x)), y: origin + height - bottom + 18, anchor: .middle,
        style: "small")
    }
    drawLines(on: &canvas, horizontal, vertical)
  }

  private func drawLines(on canvas: inout SVGCanvas, _ horizontal: Scale, _ vertical: Scale) {
    var ends: [(y: Double, name: String, style: String)] = []
    var colour = 0
    for line in series {
      let style = line.isLimit ? "limitline" : "c\(min(colour, 5))"
      if !line.isLimit { colour += 1 }
      let places = line.points.map { (x: horizontal(log10($0.x)), y: vertical(position($0.y))) }
      canvas.line(places, style: "series \(style)")
      for (point, place) in zip(line.points, places) {
        canvas.dot(
          x: place.x, y: place.y, radius: 4.5, style: "dot \(style)",
          title: "\(line.name), \(formatX(point.x)): \(formatY(point.y))")
      }
      if let last = places.last { ends.append((last.y, line.name, style)) }
    }
    // Names move apart where lines end side by side.
    ends.sort { $0.y < $1.y }
    var lowest = -Double.infinity
    for end in ends {
      let y = max(end.y, lowest + 15)
      lowest = y
      let x = canvas.width - nameWidth + 12
      canvas.dot(x: x, y: y, radius: 4, style: "dot \(end.style)", title: end.name)
      canvas.text(end.name, x: x + 9, y: y + 4, style: "")
    }
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

  /// A straight line from values to places.
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
