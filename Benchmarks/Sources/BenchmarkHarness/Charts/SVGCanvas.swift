import Foundation

/// Shapes of a chart, written as SVG; colours are classes, which a page or a file defines.
package struct SVGCanvas {
  package enum Anchor: String {
    case start, middle, end
  }

  package let width: Double
  package let height: Double
  private var elements: [String] = []

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  package mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, radius: Double = 0, style: String
  ) {
    elements.append(
      "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
        + " height=\"\(Self.number(height))\" rx=\"\(Self.number(radius))\" class=\"\(style)\"/>")
  }

  package mutating func line(_ points: [(x: Double, y: Double)], style: String) {
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(list)\" class=\"\(style)\"/>")
  }

  package mutating func dot(x: Double, y: Double, radius: Double, style: String, title: String) {
    elements.append(
      "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\""
        + " class=\"\(style)\"><title>\(Self.escaped(title))</title></circle>")
  }

  package mutating func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, style: String
  ) {
    elements.append(
      "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\""
        + " class=\"\(style)\">\(Self.escaped(text))</text>")
  }

  /// The chart as part of a page that defines the styles.
  package func markup(label: String) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.number(width))\""
      + " height=\"\(Self.number(height))\" viewBox=\"0 0 \(Self.number(width))"
      + " \(Self.number(height))\" role=\"img\" aria-label=\"\(Self.escaped(label))\">"
      + elements.joined(separator: "\n") + "</svg>"
  }

  /// The chart as a separate file.
  package func file(label: String) -> String {
    var canvas = self
    canvas.elements.insert("<style>\(ChartStyle.standalone)</style>", at: 0)
    canvas.elements.insert(
      "<rect width=\"100%\" height=\"100%\" class=\"surface\"/>", at: 1)
    return canvas.markup(label: label) + "\n"
  }

  package static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  /// The approximate width of a text in the charts' font.
  package static func width(of text: String, size: Double = 12) -> Double {
    Double(text.count) * size * 0.56
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
