/// One figure: a title, a subtitle, and panels below each other.
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

  /// The name of its file, without an extension.
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

  /// The width, narrow enough for a telephone, and for several figures in a row on a larger screen.
  package static let width = 440.0

  /// The largest height of a picture: it can be seen at once on most screens.
  package static let largestHeight = 900.0
  /// The space for date and machine, in up to four lines.
  private static let footerRoom = 66.0

  /// The figure as pictures of at most ``largestHeight``, each with as many panels as fit.
  package var parts: [ChartFigure] {
    let header = 36 + 15 * Double(Self.lines(of: subtitle).count)
    let room = Self.largestHeight - header - Self.footerRoom
    var groups: [[Panel]] = []
    var used = 0.0
    for panel in panels {
      if groups.isEmpty || used + panel.height + 8 > room {
        groups.append([])
        used = 0
      }
      groups[groups.count - 1].append(panel)
      used += panel.height + 8
    }
    guard groups.count > 1 else { return [self] }
    return groups.enumerated().map { index, panels in
      ChartFigure(
        name: index == 0 ? name : "\(name)-\(index + 1)",
        title: "\(title) (\(index + 1) of \(groups.count))", subtitle: subtitle, panels: panels)
    }
  }

  /// The drawing; in a separate file it has a footer with date and machine.
  package func canvas(footer: String? = nil) -> SVGCanvas {
    let under = Self.lines(of: subtitle)
    let below = footer.map(Self.lines) ?? []
    let header = 36 + 15 * Double(under.count)
    let foot = 6 + 15 * Double(below.count)
    let height = panels.reduce(header + foot) { $0 + $1.height + 8 }
    var canvas = SVGCanvas(width: Self.width, height: height)
    canvas.text(title, x: 16, y: 26, style: "title")
    for (index, line) in under.enumerated() {
      canvas.text(line, x: 16, y: 44 + 15 * Double(index), style: "small")
    }
    var y = header
    for panel in panels {
      switch panel {
      case .bars(let panel): panel.draw(on: &canvas, y: y)
      case .lines(let panel): panel.draw(on: &canvas, y: y)
      }
      y += panel.height + 8
    }
    for (index, line) in below.enumerated() {
      canvas.text(line, x: 16, y: y + 8 + 15 * Double(index), style: "small")
    }
    return canvas
  }

  /// A small text, split into lines that fit the width of the figure.
  package static func lines(of text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last,
        SVGCanvas.width(of: "\(last) \(word)", size: 11) <= width - 32
      {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
