import Foundation
import Testing
import TestSupport

@testable import KeepsakeSeal

@Suite struct `The cost of trying passphrases` {
  private func sealed(_ count: Int = 1) throws -> Sample.Forgery {
    let recipients = try (0..<count).map {
      SealRecipient.passphrase(try passphrase("p\($0)"), cost: .cheap)
    }
    return Sample.Forgery(
      bytes: try SealedFile.seal(
        [1].span, for: recipients, options: SealOptions(allowsMixedPassphrase: true)))
  }

  private func open(
    _ bytes: [UInt8], _ words: [String] = ["p0"], _ policy: SealPolicy = SealPolicy()
  ) -> SealError? {
    error {
      try SealedFile.open(
        bytes: bytes, with: words.map { .passphrase(try passphrase($0)) }, policy: policy)
    }
  }

  @Test(
    arguments: [(4, UInt32.max), (4, 4), (8, UInt32.max), (8, 1 << 18 + 1)] as [(Int, UInt32)])
  func `A cost that exceeds a limit is refused`(offset: Int, value: UInt32) throws {
    let forged = try sealed().changing(slot: 0, offset, to: value)
    let failure = open(forged)
    #expect(failure?.code == .limitExceeded)
    #expect(failure?.slotIndex == 0)
    let option =
      offset == 4 ? "maximumPassphrasePasses is 3" : "maximumPassphraseMemory is 268435456"
    #expect(failure?.description.contains("SealPolicy." + option) == true)
  }

  @Test func `A passphrase is tried when its cost is exactly at the limit`() throws {
    let forged = try sealed().changing(slot: 0, 4, to: 3)
    #expect(open(forged)?.code == .noMatchingKey)
    let policy = SealPolicy(maximumPassphraseMemory: 9 << 10)
    let larger = try sealed().changing(slot: 0, 8, to: 9)
    #expect(open(larger, ["p0"], policy)?.code == .noMatchingKey)
  }

  @Test func `The sum over all slots and passphrases is limited`() throws {
    // 4 slots of 256 MiB and three passes are 3 GiB; a second passphrase doubles it.
    var bytes = try sealed(4)
    for slot in 0..<4 {
      bytes = Sample.Forgery(bytes: try bytes.changing(slot: slot, 8, to: 1 << 18))
      bytes = Sample.Forgery(bytes: try bytes.changing(slot: slot, 4, to: 3))
    }
    let twice = open(bytes.bytes, ["p0", "p1"])
    #expect(twice?.code == .limitExceeded)
    #expect(twice?.slotIndex == nil)
    #expect(twice?.description.contains("SealPolicy.maximumPassphraseWork is 3221225472") == true)
    let policy = SealPolicy(maximumPassphraseWork: (3 << 30) - 1)
    #expect(open(bytes.bytes, ["p0"], policy)?.code == .limitExceeded)
  }

  @Test func `Sums that overflow are refused`() throws {
    var bytes = try sealed(4)
    for slot in 0..<4 {
      bytes = Sample.Forgery(bytes: try bytes.changing(slot: slot, 8, to: .max))
      bytes = Sample.Forgery(bytes: try bytes.changing(slot: slot, 4, to: .max))
    }
    let policy = SealPolicy(
      maximumPassphrasePasses: .max, maximumPassphraseMemory: .max, maximumPassphraseWork: .max - 1)
    #expect(open(bytes.bytes, ["p0", "p1"], policy)?.code == .limitExceeded)
  }

  @Test func `A cost below what Argon2id is defined for is malformed`() throws {
    for (offset, value) in [(4, 0), (8, 0), (8, 7)] {
      let forged = try sealed().changing(slot: 0, offset, to: UInt32(value))
      #expect(open(forged)?.code == .malformedHeader)
    }
  }

  @Test func `Each unused byte of a passphrase slot must be zero`() throws {
    let sample = try sealed()
    for offset in [3] + Array(12..<24) + Array(40..<56) + Array(160..<192) {
      #expect(open(try sample.forged { $0[128 + offset] = 1 })?.code == .malformedHeader)
    }
    // Only the lowest bit of this byte is used.
    for bit in 1..<8 {
      #expect(open(try sample.forged { $0[130] |= 1 << bit })?.code == .malformedHeader)
    }
  }

  @Test func `A changed salt or cost looks like a wrong passphrase`() throws {
    let sample = try sealed()
    #expect(open(try sample.forged { $0[128 + 24] ^= 1 })?.code == .noMatchingKey)
    #expect(open(try sample.changing(slot: 0, 4, to: 2))?.code == .noMatchingKey)
    #expect(open(try sample.changing(slot: 0, 8, to: 9))?.code == .noMatchingKey)
  }

  #if os(Linux)
    @Test func `Nothing is allocated for a refused passphrase cost`() async {
      await #expect(processExitsWith: .success) {
        let sealed = try SealedFile.seal(
          [1].span, for: [.passphrase(passphrase("p"), cost: .cheap)])
        let bytes = try Sample.Forgery(bytes: sealed).changing(slot: 0, 8, to: 1 << 20)
        let before = try memory("VmHWM:")
        let policy = SealPolicy(maximumPassphraseWork: 1 << 20)
        for _ in 0..<100 {
          let failure = error {
            try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("p"))], policy: policy)
          }
          #expect(failure?.code == .limitExceeded)
        }
        #expect(try memory("VmHWM:") - before < 4 << 20)
      }
    }

    @Test func `Missing memory is not taken for a wrong passphrase`() async {
      await #expect(processExitsWith: .success) {
        let bytes = try Sample.Forgery(
          bytes: SealedFile.seal([1].span, for: [.passphrase(passphrase("p"), cost: .cheap)])
        ).changing(slot: 0, 8, to: 1 << 20)
        // The process may have a quarter of the memory that Argon2id requests, in addition to its current memory.
        let limit = try memory("VmSize:") + 256 << 20
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        #expect(run("prlimit", "--pid", process, "--as=\(limit)"))
        let policy = SealPolicy(maximumPassphraseMemory: 1 << 30)
        let failure = error {
          try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("p"))], policy: policy)
        }
        #expect(failure?.code == .insufficientMemory)
        #expect(failure?.detail == "Argon2id asks for 1024 MiB")
      }
    }
  #endif
}

/// A size of this process that the system reports, in bytes.
private func memory(_ name: String) throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
  let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
  return try #require(kibibytes) << 10
}
