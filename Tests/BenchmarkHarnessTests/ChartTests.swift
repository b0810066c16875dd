import BenchmarkHarness
import Foundation
import Testing

@Suite struct `The charts` {
  private let rows: [ResultRow] = {
    var rows: [ResultRow] = []
    for size in [10, 100, 1000] {
      let time = Double(size)
      rows.append(.log(.encode, .keepsake, size: size, median: time, bytesOut: size))
      rows.append(.log(.encode, .json, size: size, median: time * 13, bytesOut: size * 2))
      rows.append(.log(.encode, .plist, size: size, median: time * 20, bytesOut: size * 2))
      rows.append(.log(.encode, .memcpy, size: size, median: time / 50, bytesOut: size))
    }
    return rows
  }()

  @Test func `There is a chart for each workload, for sizes and for growth`() {
    #expect(
      ReportCharts(rows).figures.map(\.name) == ["archive-log", "archive-sizes", "growth-archive"])
    #expect(ReportCharts([]).figures.isEmpty)
  }

  @Test func `The bars are those of the largest size, the shortest first`() throws {
    let figure = try #require(ReportCharts(rows).figures.first)
    guard case .bars(let panel) = try #require(figure.panels.first) else {
      Issue.record("the first panel has no bars")
      return
    }
    #expect(panel.title == "log encode, 1,000 elements")
    #expect(panel.bars.map(\.name) == ["memcpy", "keepsake", "JSON", "property list"])
    #expect(panel.bars.map(\.role) == [.limit, .own, .peer, .peer])
    #expect(panel.bars[1].label == "1.00 µs" && panel.bars[2].label == "13.0 µs, 13.0 ×")
  }

  @Test func `A size is shown in bytes only if the workload is bytes`() throws {
    let rows = [BenchmarkIdentity.Workload.log, .state].flatMap { workload in
      [Subject.keepsake, .protobuf].map { subject in
        var row = ResultRow(BenchmarkIdentity(.store, workload, .save, subject, size: 8192))
        row.medianNanoseconds = 1
        return row
      }
    }
    let figures = ReportCharts(rows).figures
    #expect(figures.map(\.name) == ["store-state", "store-times"])
    let panels = figures.flatMap(\.panels).compactMap { panel -> String? in
      if case .bars(let bars) = panel { bars.title } else { nil }
    }
    #expect(panels == ["state save, 8 KiB", "log save, 8,192 elements"])
  }

  private func panel(_ values: [Double]) -> BarPanel {
    BarPanel(
      title: "",
      bars: values.map { BarPanel.Bar(name: "", value: $0, label: "", role: .peer) })
  }

  @Test
  func `Bars are linear as long as the longest is at most twenty times the shortest`() {
    let plain = panel([5, 50, 100])
    #expect(!plain.isLogarithmic && plain.decades.isEmpty)
    #expect(plain.fraction(of: 100) == 1 && plain.fraction(of: 5) == 0.05)
    #expect(panel([5, 101]).isLogarithmic)
  }

  @Test func `Bars of very different lengths are logarithmic, with lines at powers of ten`() {
    let wide = panel([1, 30, 1000])
    #expect(wide.decades == [0.1, 1, 10, 100, 1000])
    #expect(wide.fraction(of: 1) == 0.25 && wide.fraction(of: 1000) == 1)
    #expect(panel([0, 1000]).isLogarithmic == false)
    #expect(panel([]).isLogarithmic == false)
  }

  @Test func `The first chart has the mean of all workloads that every subject measured`() throws {
    let subjects: [(Subject, Double)] = [
      (.keepsake, 1), (.keepsakeCodable, 2), (.json, 3), (.plist, 4), (.protobuf, 5),
    ]
    var rows: [ResultRow] = []
    for operation in [BenchmarkIdentity.Operation.encode, .decode] {
      for (workload, factor) in [(BenchmarkIdentity.Workload.log, 1.0), (.mesh, 4.0)] {
        rows += subjects.map { subject, value in
          var row = ResultRow(BenchmarkIdentity(.archive, workload, operation, subject))
          row.medianNanoseconds = 10 * (subject == .keepsake ? 1 : value * factor)
          row.bytesOut = 100 * Int(value)
          return row
        }
      }
      // A workload without one of the subjects does not count.
      rows.append(ResultRow(BenchmarkIdentity(.archive, .media, operation, .keepsake)))
    }
    let figure = try #require(ReportCharts(rows).figures.first)
    #expect(figure.name == "overview")
    #expect(figure.subtitle.hasSuffix("over 2 workloads: log, mesh."))
    let panels = figure.panels.compactMap { panel -> BarPanel? in
      if case .bars(let bars) = panel { bars } else { nil }
    }
    #expect(panels.map(\.title) == ["Encoding time", "Decoding time", "Size"])
    #expect(
      panels[0].bars.map(\.name)
        == ["keepsake, records", "keepsake, Codable", "JSON", "property list", "protobuf"])
    #expect(panels[0].bars.map(\.role) == [.own, .own, .peer, .peer, .peer])
    #expect(panels[0].bars.map(\.label) == ["1.00 ×", "4.00 ×", "6.00 ×", "8.00 ×", "10.0 ×"])
    #expect(panels[2].bars.map(\.label) == ["1.00 ×", "2.00 ×", "3.00 ×", "4.00 ×", "5.00 ×"])
  }

  @Test func `A chart that is taller than 900 pixels becomes several`() throws {
    let rows = [10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap { size in
      (0..<5).map { variant in
        var row = ResultRow(
          BenchmarkIdentity(
            .migration, .log, .migrate, .keepsake, variant: "way \(variant)", size: size))
        row.medianNanoseconds = Double(size * (variant + 1))
        return row
      }
    }
    let figures = ReportCharts(rows).figures.filter { $0.name.hasPrefix("migration") }
    #expect(figures.map(\.name) == ["migration-times", "migration-times-2"])
    #expect(figures[0].title == "Migration: time, less is better (1 of 2)")
    #expect(figures.flatMap(\.panels).count == 6)
    for figure in figures {
      let footer = String(repeating: "machine ", count: 24)
      #expect(figure.canvas(footer: footer).height <= ChartFigure.largestHeight)
    }
  }

  @Test func `No line of a panel of bars crosses a name or a number`() throws {
    var canvas = SVGCanvas(width: ChartFigure.width, height: 200)
    let wide = panel([1, 30, 1000])
    wide.draw(on: &canvas, y: 0)
    let file = canvas.markup(label: "")
    let baselines = file.matches(of: /<text x="[\d.]+" y="([\d.]+)"/).compactMap { Double($0.1) }
    let lines = file.matches(of: /<polyline points="[\d.]+,([\d.]+) [\d.]+,([\d.]+)"/)
    #expect(lines.count == wide.bars.count * wide.decades.count)
    for line in lines {
      let (top, bottom) = (try #require(Double(line.1)), try #require(Double(line.2)))
      // A text of 12 pixels is above its baseline, and little of it is below.
      for baseline in baselines { #expect(bottom <= baseline - 9 || top >= baseline + 3) }
    }
  }

  @Test func `Each variant of sealing has a panel of its own`()
    throws
  {
    var rows: [ResultRow] = []
    for variant in [nil, "same memory"] {
      for subject in [Subject.keepsake, .libsodium] {
        for size in [1 << 20, 64 << 20] {
          var row = ResultRow(
            BenchmarkIdentity(
              .seal, .blob, .seal, subject, variant: variant, size: size, threads: 1))
          (row.bytesIn, row.medianNanoseconds) = (size, Double(size))
          rows.append(row)
        }
      }
    }
    let figure = try #require(
      ReportCharts(rows).figures.first { $0.name == "seal-throughput" })
    let panels = figure.panels.compactMap { panel -> LinePanel? in
      if case .lines(let lines) = panel { lines } else { nil }
    }
    #expect(panels.map(\.title) == ["seal, 1 thread", "seal, 1 thread, same memory"])
    for panel in panels {
      #expect(panel.series.map(\.name) == ["keepsake", "libsodium"])
      for series in panel.series {
        #expect(series.points.map(\.x) == [Double(1 << 20), Double(64 << 20)])
      }
    }
  }

  @Test func `Marks of an axis are not printed over each other`() {
    let marks = [(0.0, "10"), (100, "1k"), (110, "1,024"), (200, "10k"), (204, "11,111")].map {
      LinePanel.Mark(text: $0.1, place: $0.0)
    }
    #expect(LinePanel.readable(marks).map(\.text) == ["10", "1,024", "11,111"])
    #expect(LinePanel.readable([]) == [])
  }

  @Test func `Long texts are broken into lines`() {
    let lines = ChartFigure.lines(of: String(repeating: "word ", count: 40))
    #expect(lines.count == 4 && lines.joined(separator: " ").split(separator: " ").count == 40)
    for line in lines { #expect(SVGCanvas.width(of: line, size: 11) <= ChartFigure.width - 32) }
    #expect(ChartFigure.lines(of: "") == [])
  }

  @Test func `A chart's file needs no other file, in light and dark`() throws {
    let figure = try #require(ReportCharts(rows).figures.first)
    let file = figure.canvas(footer: "a <machine>").file(label: figure.title)
    #expect(file.hasPrefix("<svg xmlns"))
    #expect(file.contains("prefers-color-scheme: dark") && file.contains("--own: #2a78d6"))
    #expect(file.contains("a &lt;machine&gt;"))
    #expect(!file.contains("http://www.w3.org/1999/xlink") && !file.contains("href="))
    let parser = XMLTags(file)
    #expect(parser.isBalanced)
  }

  @Test func `A page holds the charts, the machine and every figure, and loads nothing`() {
    let machine = Machine(
      processor: "P & Co", cores: 4, memory: 1 << 30, system: "S", compiler: "C", date: "D")
    let page = ReportPage(machine: machine, rows: rows).html
    #expect(page.contains("P &amp; Co, 4 cores, 1 GiB; S; C, release; D"))
    #expect(page.components(separatedBy: "<figure>").count == 4)
    #expect(page.contains("<caption>archive/log/encode size=1000</caption>"))
    #expect(page.contains("archive/log/encode keepsake: size^1.00"))
    #expect(!page.contains("src=") && !page.contains("href="))
    #expect(!page.contains("class=\"caution\"") && !page.contains("<dl>"))
  }

  @Test func `A page begins with its cautions, and explains the variants`() {
    let machine = Machine(
      processor: "P", cores: 4, memory: 1, system: "S", compiler: "C", date: "D", load: 30)
    let page = ReportPage(
      machine: machine, rows: [.log(variant: "packed", median: 1)], cautions: ["Not to be quoted."]
    ).html
    #expect(page.contains("<p class=\"caution\">Not to be quoted.</p>"))
    #expect(page.contains("<p class=\"caution\">The machine is busy"))
    #expect(page.contains("<dt>(packed)</dt><dd>all numbers of all triangles as one list"))
    #expect(VariantGlossary.meaning(of: "unheard of") == nil)
  }

  @Test func `The tables of a page have no empty columns`() {
    let machine = Machine(
      processor: "P", cores: 4, memory: 1, system: "S", compiler: "C", date: "D")
    let row = ResultRow.log(.encode, .keepsake, median: 1000, bytesOut: 77, items: 10)
    let page = ReportPage(machine: machine, rows: [row]).html
    let names = ["subject", "median", "×", "each", "bytes", "remark"]
    #expect(page.contains("<thead><tr>\(names.map { "<th>\($0)</th>" }.joined())</tr></thead>"))
    let cells = ["keepsake", "1.00 µs", "1.00", "100 ns", "77", ""]
    #expect(page.contains("<tr>\(cells.map { "<td>\($0)</td>" }.joined())</tr>"))
  }

  @Test func `Axes have round marks around the values`() {
    #expect(LinePanel.decades(from: 20, to: 3000) == [10, 100, 1000, 10_000])
    #expect(LinePanel.steps(to: 1.7) == [0, 0.5, 1, 1.5, 2])
    #expect(LinePanel.steps(to: 0) == [0, 1])
  }
}

/// Checks that every opened tag of a text is closed.
private struct XMLTags {
  var isBalanced: Bool

  init(_ text: String) {
    var open: [Substring] = []
    isBalanced = true
    for match in text.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if !match.3.isEmpty { continue }
      if match.1.isEmpty {
        open.append(match.2)
      } else if open.popLast() != match.2 {
        isBalanced = false
      }
    }
    isBalanced = isBalanced && open.isEmpty
  }
}
