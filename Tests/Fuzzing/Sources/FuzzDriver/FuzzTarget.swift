internal import CLibFuzzer
internal import Foundation

/// One fuzzer: what is done with an input, what it starts from, and how a mutated input is mended
/// so that it gets further.
public struct FuzzTarget: Sendable {
  /// Works on one input; a broken promise ends the process.
  public typealias Body = @Sendable (_ input: [UInt8]) -> Void

  /// Makes a mutated input fit again, more or less, as `choice` says.
  public typealias Repair = @Sendable (_ input: [UInt8], _ choice: UInt32) -> [UInt8]

  let seeds: @Sendable () throws -> [[UInt8]]
  let repair: Repair
  let body: Body

  /// Describes a fuzzer.
  ///
  /// - Parameters:
  ///   - seeds: The inputs to start from.
  ///   - repair: Mends each mutated input; by default nothing is mended.
  ///   - body: Works on one input.
  public init(
    seeds: @escaping @Sendable () throws -> [[UInt8]],
    repair: @escaping Repair = { input, _ in input },
    body: @escaping Body
  ) {
    self.seeds = seeds
    self.repair = repair
    self.body = body
  }

  /// Runs the fuzzer: `--write-seeds DIRECTORY` writes its seeds; other arguments are libFuzzer's.
  ///
  /// Built without `-DFUZZING` it runs each file that is named once, which is how a finding is
  /// looked at in a debugger.
  ///
  /// - Throws: An error when seeds or inputs cannot be made, written or read.
  public func run() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if let flag = arguments.firstIndex(of: "--write-seeds"), flag + 1 < arguments.endIndex {
      return try writeSeeds(to: arguments[flag + 1])
    }
    #if FUZZING
      unsafe FuzzTarget.current = self
      exit(runLibFuzzer())
    #else
      for path in arguments { body([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))) }
    #endif
  }

  private func writeSeeds(to directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    for (index, seed) in try seeds().enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(directory)/seed-\(index)"))
    }
  }
}
