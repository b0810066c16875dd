internal import Foundation
internal import KeepsakeSeal

/// One operation, with all that it needs read before it begins.
struct Operation {
  let run: () throws -> Void

  /// Reads `NAME PATH [SECOND PATH] [GENERATION [SIZE]]`; the key lies in `KEEPSAKE_FAULT_KEY`.
  init(arguments: [String]) throws {
    let words = arguments.filter { !$0.hasPrefix("--") }
    let name = words.first ?? ""
    let path = words.count > 1 ? words[1] : ""
    let second = words.count > 2 ? words[2] : ""
    let generation = UInt64(second) ?? 0
    let size = words.count > 3 ? Int(words[3]) ?? 0 : 0
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: size)
    switch name {
    case "seal":
      let keys = try Operation.keys()
      run = {
        try SealedFile.seal(
          bytes.span, to: path, keys: keys, options: Operation.options(generation))
      }
    case "reseal":
      let keys = try Operation.keys()
      run = { try Operation.reseal(path, count: generation, size: size, keys: keys) }
    case "open":
      let keys = try Operation.keys()
      run = {
        let file = try SealedFile.open(path, keys: keys)
        FaultSubject.say("read \(try file.read().count)")
        if arguments.contains("--hold") { FaultSubject.waitForLine() }
        withExtendedLifetime((file, keys)) {}
      }
    case "replace": run = { try DurableFile.replace(at: path, with: bytes.span) }
    case "create": run = { try DurableFile.createExclusively(at: path, with: bytes.span) }
    case "key": run = { _ = try KeyFile.create(at: path) }
    case "move": run = { try DurableFile.move(from: path, to: second) }
    case "preserve": run = { try DurableFile.preserve(path, as: second) }
    case "remove": run = { try DurableFile.remove(at: path) }
    case "directory": run = { try DurableFile.createDirectory(at: path) }
    default: throw CocoaError(.featureUnsupported)
    }
  }

  static func options(_ generation: UInt64) -> SealOptions {
    SealOptions(chunkSize: .kibibytes4, generation: generation)
  }

  private static func keys() throws -> [SealKey] {
    [try KeyFile.read(at: ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_KEY"] ?? "")]
  }

  /// Seals again and again, and says each generation once its call has returned.
  private static func reseal(
    _ path: String, count: UInt64, size: Int, keys: [SealKey]
  ) throws {
    for generation in 1...max(count, 1) {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: size)
      try SealedFile.seal(bytes.span, to: path, keys: keys, options: options(generation))
      FaultSubject.say("sealed \(generation)")
    }
  }
}
