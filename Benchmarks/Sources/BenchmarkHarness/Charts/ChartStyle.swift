/// The colours and the type of the charts, in light and dark.
package enum ChartStyle {
  private static let light = """
    --surface: #fcfcfb; --ink: #0b0b0b; --soft: #52514e; --grid: #e1e0d9; --own: #2a78d6;
    --near: #9ec5f4; --peer: #898781; --line2: #1baf7a; --line3: #eda100; --line4: #4a3aa7;
    --line5: #e34948; --line6: #eb6834;
    """

  private static let dark = """
    --surface: #1a1a19; --ink: #ffffff; --soft: #c3c2b7; --grid: #2c2c2a; --own: #3987e5;
    --near: #a9c9f2; --peer: #898781; --line2: #199e70; --line3: #c98500; --line4: #9085e9;
    --line5: #e66767; --line6: #d95926;
    """

  /// The variables, for a page.
  package static let variables = """
    :root { color-scheme: light dark; \(light) }
    @media (prefers-color-scheme: dark) { :root { \(dark) } }
    """

  /// The styles of the classes of a chart.
  package static let classes = """
    svg text { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; font-size: 12px;
      fill: var(--soft); paint-order: stroke; stroke: var(--surface); stroke-width: 3px;
      stroke-linejoin: round; }
    svg .title { font-size: 15px; font-weight: 600; fill: var(--ink); }
    svg .strong { fill: var(--ink); font-weight: 600; }
    svg .small { font-size: 11px; }
    svg .surface { fill: var(--surface); }
    svg .own { fill: var(--own); } svg .near { fill: var(--near); } svg .peer { fill: var(--peer); }
    svg .limit { fill: none; stroke: var(--peer); stroke-width: 1.5; stroke-dasharray: 3 2; }
    svg .grid { fill: none; stroke: var(--grid); stroke-width: 1; }
    svg .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
    svg .series.c0 { stroke: var(--own); } svg .dot.c0 { fill: var(--own); }
    svg .series.c1 { stroke: var(--line2); } svg .dot.c1 { fill: var(--line2); }
    svg .series.c2 { stroke: var(--line3); } svg .dot.c2 { fill: var(--line3); }
    svg .series.c3 { stroke: var(--line4); } svg .dot.c3 { fill: var(--line4); }
    svg .series.c4 { stroke: var(--line5); } svg .dot.c4 { fill: var(--line5); }
    svg .series.c5 { stroke: var(--line6); } svg .dot.c5 { fill: var(--line6); }
    svg .series.limitline { stroke: var(--peer); stroke-dasharray: 4 3; }
    svg .dot.limitline { fill: var(--peer); }
    svg .dot { stroke: var(--surface); stroke-width: 2; }
    """

  /// The variables and the classes, for a separate SVG file.
  package static let standalone = """
    svg { \(light) }
    @media (prefers-color-scheme: dark) { svg { \(dark) } }
    \(classes)
    """
}
