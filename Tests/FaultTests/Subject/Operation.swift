internal import Foundation
internal import KeepsakeSeal

/// One operation; its initialiser reads everything that the operation needs before it starts.
struct Operation {
  let run: () throws -> Void

  /// Reads `NAME PATH [SECOND PATH] [GENERATION [SIZE]]`, and options that begin with `--`.
  init(arguments: [String]) throws {
    let words = arguments.filter { !$0.hasPrefix("--") }
    let name = words.first ?? ""
    let path = words.count > 1 ? words[1] : ""
    let second = words.count > 2 ? words[2] : ""
    let generation = UInt64(second) ?? 0
    let size = words.count > 3 ? Int(words[3]) ?? 0 : 0
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: size)
    switch name {
    case "migrate": run = try MigrationOperation(path: path).run
    case "journal":
      run =
        try JournalOperation(path: path, script: second, firstSeed: size, arguments: arguments).run
    case "replace": run = { try DurableFile.replace(at: path, with: bytes.span) }
    case "create": run = { try DurableFile.createExclusively(at: path, with: bytes.span) }
    case "key": run = { _ = try SealKey.create(at: path) }
    case "identity": run = { _ = try X25519Identity.create(at: path) }
    case "move": run = { try DurableFile.move(from: path, to: second) }
    case "preserve": run = { try DurableFile.preserve(path, as: second) }
    case "remove": run = { try DurableFile.remove(at: path) }
    case "erase": run = { try DurableFile.erase(at: path) }
    case "move-entry": run = { try DurableFile.moveEntry(from: path, to: second) }
    case "remove-entry": run = { try DurableFile.removeEntry(at: path) }
    case "lock" where arguments.contains("--without-locks"):
      run = { _ = try FileLock(at: path, allowsMissingLocks: true) }
    case "lock": run = { _ = try FileLock(at: path) }
    case "directory": run = { try DurableFile.createDirectory(at: path) }
    default:
      let operation = StateOperation(
        path: path, second: second, bytes: bytes, isPinned: arguments.contains("--pinned"),
        allowsMissingLocks: arguments.contains("--without-locks"))
      if let named = try operation.named(name) {
        run = named
        return
      }
      if let named = try RaceOperation(path: path).named(name) {
        run = named
        return
      }
      run = try SealOperation(
        keys: SubjectKeys(arguments), path: path, second: second, generation: generation,
        bytes: bytes,
        isHeld: arguments.contains("--hold")
      ).named(name)
    }
  }
}
