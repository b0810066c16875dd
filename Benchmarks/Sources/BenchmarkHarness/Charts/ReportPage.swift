/// A report as one self-contained page: charts, then all figures.
package struct ReportPage {
  package var machine: Machine
  package var rows: [ResultRow]
  /// Warnings before the figures, such as that there are too few samples.
  package var cautions: [String]

  package init(machine: Machine, rows: [ResultRow], cautions: [String] = []) {
    self.machine = machine
    self.rows = rows
    self.cautions = cautions + [machine.warning].compactMap(\.self)
  }

  package var html: String {
    let figures = ReportCharts(rows).figures.map { figure in
      "<figure>\(figure.canvas().markup(label: figure.title))</figure>"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Keepsake: benchmarks</title>
      <style>
      \(ChartStyle.variables)
      \(ChartStyle.classes)
      \(Self.layout)
      </style>
      </head>
      <body>
      <h1>Keepsake: benchmarks</h1>
      <p>\(SVGCanvas.escaped(machine.description))</p>
      \(cautions.map { "<p class=\"caution\">\(SVGCanvas.escaped($0))</p>" }.joined(separator: "\n"))
      <p class="note">\(SVGCanvas.escaped(TaskTable.legend))</p>
      <div class="charts">
      \(figures.joined(separator: "\n"))
      </div>
      \(growthList)
      <h2>All figures</h2>
      \(glossary)
      \(tables)
      </body>
      </html>

      """
  }

  private static let layout = """
    body { margin: 2rem auto; max-width: 1580px; padding: 0 1rem; background: var(--surface);
      color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
    p { color: var(--soft); max-width: 60rem; }
    .charts { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
      align-items: start; }
    figure { margin: 0; border: 1px solid var(--grid); border-radius: 8px; }
    svg { display: block; width: 100%; max-width: 36rem; height: auto; margin: auto; }
    .caution { font-weight: 600; color: var(--ink); }
    dt { font-weight: 600; } dd { margin: 0 0 0.3rem 1rem; color: var(--soft); }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; }
    caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
    th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: right; white-space: nowrap;
      border-bottom: 1px solid var(--grid); font-weight: normal; }
    th:first-child, td:first-child { position: sticky; left: 0; background: var(--surface); }
    tr.best td:first-child::before { content: "* "; }
    tr.best td:nth-child(-n + 2) { font-weight: 600; }
    th { color: var(--soft); } th:first-child, td:first-child, td:last-child { text-align: left; }
    """

  private var growthList: String {
    let fits = GrowthFit.fits(through: rows)
    if fits.isEmpty { return "" }
    let items = fits.map { "<li>\(SVGCanvas.escaped($0.description))</li>" }
    return "<h2>Growth</h2>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>"
  }

  /// The meanings of the words in brackets after a subject, for the variants in these rows.
  private var glossary: String {
    let entries = VariantGlossary.entries(for: rows)
    if entries.isEmpty { return "" }
    let items = entries.map { entry in
      "<dt>(\(SVGCanvas.escaped(entry.variant)))</dt><dd>\(SVGCanvas.escaped(entry.meaning))</dd>"
    }
    return "<dl>\n\(items.joined(separator: "\n"))\n</dl>"
  }

  private var tables: String {
    var names: [String] = []
    var tasks: [String: [ResultRow]] = [:]
    for row in rows {
      if tasks[row.identity.task] == nil { names.append(row.identity.task) }
      tasks[row.identity.task, default: []].append(row)
    }
    return names.map { table($0, tasks[$0] ?? []) }.joined(separator: "\n")
  }

  private func table(_ name: String, _ rows: [ResultRow]) -> String {
    let table = TaskTable(rows)
    let filled = table.filled
    let head = (["subject"] + filled.map { TaskTable.columns[$0] } + ["remark"])
      .map { "<th>\($0)</th>" }.joined()
    let best = table.best?.identity
    let body = rows.map { row in
      let figures = table.cells(of: row)
      let cells =
        [row.identity.contender] + filled.map { figures[$0] ?? "" } + [row.remark ?? ""]
      return (row.identity == best ? "<tr class=\"best\">" : "<tr>")
        + cells.map { "<td>\(SVGCanvas.escaped($0))</td>" }.joined() + "</tr>"
    }
    return "<div class=\"scroll\"><table><caption>\(SVGCanvas.escaped(name))</caption>"
      + "<thead><tr>\(head)</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table></div>"
  }
}
