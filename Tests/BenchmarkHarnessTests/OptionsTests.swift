import BenchmarkHarness
import Testing

@Suite struct `The command line of the benchmarks` {
  @Test func `Without options everything of the standard extent is measured`() throws {
    let options = try Options([])
    #expect(options.extent == .standard)
    #expect(!options.lists && options.filters.isEmpty && options.measuresMemory)
    #expect(options.threshold == 10 && options.comparesTimes && !options.countsInstructions)
    #expect(options.jsonPath == nil && options.htmlPath == nil && options.baselinePath == nil)
  }

  @Test func `Every option is understood`() throws {
    let options = try Options([
      "--full", "--filter", "log encode", "--list", "--samples", "30", "--no-memory", "--no-times",
      "--json", "a.json", "--html", "a.html", "--charts", "charts", "--baseline", "b.json",
      "--threshold", "2.5", "--record", "r.json",
      "--markdown", "m.md", "--instructions",
    ])
    #expect(options.countsInstructions)
    #expect(options.markdownPath == "m.md")
    #expect(options.recordPath == "r.json")
    #expect(options.extent == .full && options.filters == ["log encode"] && options.lists)
    #expect(options.minimumSamples == 30 && !options.measuresMemory && !options.comparesTimes)
    #expect(options.jsonPath == "a.json" && options.htmlPath == "a.html")
    #expect(options.chartDirectory == "charts" && options.baselinePath == "b.json")
    #expect(options.threshold == 2.5)
    #expect(try Options(["--quick"]).extent == .quick)
    #expect(try Options(["--scale"]).extent == .scale)
    #expect(try Options(["-h"]).showsHelp)
  }

  @Test func `Every word of a filter is in a name, and one of several filters is enough`() throws {
    let options = try Options(["--filter", "log encode", "--filter", "seal/"])
    #expect(options.includes("archive/log/encode size=1 json"))
    #expect(options.includes("seal/blob/seal size=1 keepsake"))
    #expect(!options.includes("archive/log/decode size=1 json"))
    #expect(try Options([]).includes("archive/log/decode size=1 json"))
  }

  @Test func `A process can run a subtask of another one`() throws {
    #expect(try Options(["--subtask-memory", "a b"]).subtask == .memory(of: "a b"))
    #expect(try Options(["--subtask-instructions", "a b"]).subtask == .instructions(of: "a b"))
    #expect(try Options(["--subtask-bound-task", "a"]).subtask == .boundTask("a"))
    let sealing = try Options(["--subtask-seal", "seal", "--list", "b", "c"])
    #expect(sealing.subtask == .sealFile(["seal", "--list", "b", "c"]) && !sealing.lists)
  }

  @Test(
    arguments: [
      (["--fast"], "There is no option --fast."),
      (["--json"], "--json needs a value."),
      (["--json", "--list"], "--json needs a value."),
      (["--samples", "0"], "--samples needs a positive number."),
      (["--threshold", "-1"], "--threshold needs a number of percent, such as 10."),
      (["--threshold", "nan"], "--threshold needs a number of percent, such as 10."),
    ])
  func `An unknown or malformed option is reported with the usage`(
    arguments: [String], reason: String
  ) throws {
    let failure = #expect(throws: OptionsFailure.self) { try Options(arguments) }
    #expect(failure?.reason == reason)
    #expect(failure?.description.contains("--baseline FILE") == true)
  }
}
