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

  @Test func `There is one for each workload, for sizes and for growth`() {
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
    #expect(panel.bars.map(\.name) == ["memcpy", "keepsake", "json", "plist"])
    #expect(panel.bars.map(\.role) == [.limit, .own, .peer, .peer])
    #expect(panel.bars[1].label == "1.00 µs" && panel.bars[2].label == "13.0 µs, 13.0 ×")
  }

  @Test func `A bar far longer than the rest is cut off where there are many`() {
    func panel(_ values: [Double]) -> BarPanel {
      BarPanel(
        title: "",
        bars: values.map { BarPanel.Bar(name: "", value: $0, label: "", role: .peer) })
    }
    #expect(panel([1, 2, 3, 4, 100]).longest < 5)
    #expect(panel([1, 2, 3, 4, 12]).longest == 12)
    #expect(panel([1, 100]).longest == 100)
  }

  @Test func `A file stands alone, in light and dark`() throws {
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
  }

  @Test func `Axes have round marks around the values`() {
    #expect(LinePanel.decades(from: 20, to: 3000) == [10, 100, 1000, 10_000])
    #expect(LinePanel.steps(to: 1.7) == [0, 0.5, 1, 1.5, 2])
    #expect(LinePanel.steps(to: 0) == [0, 1])
  }
}

/// Whether every tag of a text that is opened is closed.
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
