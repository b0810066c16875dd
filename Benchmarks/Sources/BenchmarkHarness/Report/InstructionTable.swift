/// The counted rows of one task as lines of text, each with its ratio to Keepsake's own.
package struct InstructionTable {
  package var rows: [ResultRow]

  package init(_ rows: [ResultRow]) {
    self.rows = rows
  }

  package static let legend = """
    Instructions of one operation, counted by valgrind; "×" is the number against Keepsake's, "each"
    that of one element. They tell what a change costs, also on a busy machine; they are not times.
    """

  package static let header = line("subject", ["instructions", "×", "each", "bytes"])

  package var lines: [String] {
    let own = TaskTable(rows).reference?.instructions
    return rows.map { row in
      let ratio = row.instructions.flatMap { count in
        own.map { Figures.significant(Double(count) / Double(max($0, 1))) }
      }
      let each = row.instructions.flatMap { row.items > 1 ? $0 / row.items : nil }
      return Self.line(
        row.identity.contender,
        [
          row.instructions.map(Figures.grouped), ratio, each.map(Figures.grouped),
          row.bytesOut.map(Figures.grouped),
        ])
    }
  }

  private static func line(_ name: String, _ cells: [String?]) -> String {
    let widths = [18, 9, 14, 14]
    let padding = String(repeating: " ", count: max(0, 30 - name.count))
    return "  " + name + padding
      + zip(cells, widths).map { cell, width in
        let text = cell ?? ""
        return String(repeating: " ", count: max(0, width - text.count)) + text
      }.joined()
  }
}
