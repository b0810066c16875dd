/// A command line that cannot be understood.
package struct OptionsFailure: Error, Equatable, CustomStringConvertible {
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { "\(reason)\n\(Options.usage)" }
}

extension Options {
  package static let usage = """
    usage: swift run bench [options]
      --quick              small sizes and few samples: sizes, allocations and round trips
      --full               every size, more samples
      --filter TEXT        only benchmarks whose name contains TEXT; several words must all be in it
      --list               print the names of the benchmarks and stop
      --samples COUNT      at least COUNT samples of each benchmark
      --no-memory          leave out peak memory, which needs a process for each benchmark
      --json FILE          write the figures to FILE as well
      --html FILE          write a page with charts to FILE
      --charts DIRECTORY   write the charts to DIRECTORY as SVG
      --markdown FILE      write the main figures to FILE as tables
      --baseline FILE      compare with the figures that --json wrote to FILE; exit 1 on a regression
      --threshold PERCENT  how much worse is a regression (default 10)
      --no-times           compare sizes and allocations only
      --instructions       count instructions with valgrind instead of measuring times; with --baseline
                           and --record, which then mean a file of counts, Keepsake's rows only
      --record FILE        write Keepsake's sizes and allocations to FILE, as a baseline without times
    """
}
