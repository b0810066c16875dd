internal import CLibFuzzer
internal import Foundation

/// One fuzzer: its work on an input, its seeds, and the repair of a mutated input, which lets it get further.
public struct FuzzTarget: Sendable {
  /// Works on one input; a broken promise ends the process.
  public typealias Body = @Sendable (_ input: [UInt8]) -> Void

  /// Makes a mutated input consistent again, to an extent that `choice` determines.
  public typealias Repair = @Sendable (_ input: [UInt8], _ choice: UInt32) -> [UInt8]

  let seeds: @Sendable () throws -> [[UInt8]]
  let repair: Repair
  let body: Body

  /// Describes a fuzzer.
  ///
  /// - Parameters:
  ///   - seeds: The inputs to start from.
  ///   - repair: Repairs each mutated input; by default nothing is repaired.
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
  /// Without `-DFUZZING`, it runs each named file once, which allows a finding to be inspected in a debugger.
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
