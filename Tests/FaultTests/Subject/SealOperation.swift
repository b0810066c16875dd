internal import Foundation
internal import KeepsakeSeal

/// The operations that need keys.
struct SealOperation {
  let keys: SubjectKeys
  let path: String
  let second: String
  let generation: UInt64
  let bytes: [UInt8]
  /// True when an opened file is held until the test continues the process.
  let isHeld: Bool

  func named(_ name: String) throws -> () throws -> Void {
    switch name {
    case "seal": { try seal() }
    case "stream": { try stream() }
    case "cancel": { try cancel() }
    case "reseal": { try resealAll() }
    case "renew": { try renew() }
    case "rewrap": { try rewrap() }
    case "exchange": { try exchange() }
    case "open": { try open() }
    case "contents": { try contents() }
    case "extract": { try extract() }
    case "memory": { FaultSubject.say("locked \(SealKey.isMemoryLocked)") }
    case "crash": crash
    case "crash-deriving": { try crashDeriving() }
    default: throw CocoaError(.featureUnsupported)
    }
  }

  private func options(_ generation: UInt64) -> SealOptions {
    // One thread makes the same system calls each time.
    SealOptions(
      chunkSize: .kibibytes4, generation: generation, allowsMixedPassphrase: true,
      threadCount: isHeld ? nil : keys.threadCount)
  }

  private func seal() throws {
    try SealedFile.seal(
      bytes.span, to: path, for: keys.recipients, options: options(generation))
  }

  private func stream() throws {
    let writer = try SealedFileWriter(
      to: path, for: keys.recipients, options: options(generation))
    try writer.write(bytes.span)
    try writer.finish()
  }

  /// Cancels as soon as anything has been sealed.
  private func cancel() throws {
    try SealedFile.seal(
      bytes.span, to: path, for: keys.recipients, options: options(generation),
      progress: { $0.completedByteCount == 0 })
  }

  /// Seals repeatedly, and prints each generation once its call has returned.
  private func resealAll() throws {
    for generation in 1...max(generation, 1) {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: bytes.count)
      try SealedFile.seal(
        bytes.span, to: path, for: keys.recipients, options: options(generation))
      FaultSubject.say("sealed \(generation)")
    }
  }

  /// Seals the same content with a new data key, one generation later.
  private func renew() throws {
    try SealedFile.reseal(
      path, with: keys.identities, for: keys.recipients, options: options(generation))
  }

  private func rewrap() throws {
    try SealedFile.rewrap(
      path, with: keys.identities, adding: [keys.newRecipient()], keepsUnnamedSlots: true)
  }

  /// Replaces the slots by new ones, so that the header keeps its length.
  private func exchange() throws {
    try SealedFile.rewrap(
      path, with: keys.identities, adding: keys.recipients,
      removing: keys.recipients.map { .recipient($0) })
  }

  private func open() throws {
    let file = try SealedFile.open(path, with: keys.identities)
    FaultSubject.say("read \(try file.read().count)")
    if isHeld { FaultSubject.waitForLine() }
    withExtendedLifetime(file) {}
  }

  /// Aborts while it holds these bytes in ordinary memory.
  private func crash() { withExtendedLifetime(bytes) { abort() } }

  /// Aborts while another thread derives a key from a passphrase.
  private func crashDeriving() throws {
    let (path, passphrase) = (path, try SubjectKeys.passphrase())
    Thread { _ = try? SealKey.create(at: path, passphrase: passphrase) }.start()
    while try residentPageCount() < 50_000 {}
    abort()
  }

  private func residentPageCount() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }

  /// Seals the second file into the first one.
  private func contents() throws {
    try SealedFile.seal(
      contentsOf: second, to: path, for: keys.recipients, options: options(2))
  }

  /// Writes the plaintext of the first file into the second one.
  private func extract() throws {
    try SealedFile.open(path, with: keys.identities).extract(to: second)
  }
}
