/// One picture: a title, what it shows, and panels below each other.
package struct ChartFigure {
  package enum Panel {
    case bars(BarPanel)
    case lines(LinePanel)

    var height: Double {
      switch self {
      case .bars(let panel): panel.height
      case .lines(let panel): panel.height
      }
    }
  }

  /// The name of its file, without an ending.
  package var name: String
  package var title: String
  package var subtitle: String
  package var panels: [Panel]

  package init(name: String, title: String, subtitle: String, panels: [Panel]) {
    self.name = name
    self.title = title
    self.subtitle = subtitle
    self.panels = panels
  }

  package static let width = 760.0

  /// The picture; a file of its own names date and machine at its foot.
  package func canvas(footer: String? = nil) -> SVGCanvas {
    let header = 58.0
    let foot = footer == nil ? 6.0 : 28
    let height = panels.reduce(header + foot) { $0 + $1.height + 8 }
    var canvas = SVGCanvas(width: Self.width, height: height)
    canvas.text(title, x: 16, y: 26, style: "title")
    canvas.text(subtitle, x: 16, y: 44, style: "small")
    var y = header
    for panel in panels {
      switch panel {
      case .bars(let panel): panel.draw(on: &canvas, y: y)
      case .lines(let panel): panel.draw(on: &canvas, y: y)
      }
      y += panel.height + 8
    }
    if let footer { canvas.text(footer, x: 16, y: height - 12, style: "small") }
    return canvas
  }
}
