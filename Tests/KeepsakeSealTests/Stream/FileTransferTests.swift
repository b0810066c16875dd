import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `Sealing and extracting whole files` {
  private let key: SealKey

  init() throws { key = try .generate() }

  @Test(arguments: [0, 1, 65_536, (1 << 20) + 3])
  func `A file is sealed and extracted again`(count: Int) throws {
    try withTemporaryDirectory { directory in
      let (plain, sealed, out) = (directory + "/plain", directory + "/sealed", directory + "/out")
      try write(pattern(count), to: plain)
      let summary = try SealedFile.seal(contentsOf: plain, to: sealed, for: [.key(key)])
      let opened = try SealedFile.open(sealed, with: [.key(key)])
      #expect(opened.summary == summary)
      #expect(try opened.read() == pattern(count))
      try opened.extract(to: out, mode: 0o640)
      #expect(try contents(of: out) == pattern(count))
      #expect(try permissions(of: out) == 0o640)
      #expect(try permissions(of: sealed) == 0o600)
      #expect(try names(in: directory) == ["out", "plain", "sealed"])
    }
  }

  // The kernel states a size of zero for the first ones, and of a page for those in /sys.
  @Test(
    arguments: [
      "/proc/version", "/proc/self/cmdline", "/proc/self/maps", "/proc/sys/kernel/ostype",
      "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online",
    ]) func `A file that states a wrong size is read to its end`(path: String) throws
  {
    guard FileManager.default.isReadableFile(atPath: path) else { return }
    try withTemporaryDirectory { directory in
      let sealed = directory + "/sealed"
      for padding in [SealOptions.Padding.none, .padme] {
        try SealedFile.seal(
          contentsOf: path, to: sealed, for: [.key(key)], options: SealOptions(padding: padding))
        let found = try SealedFile.open(sealed, with: [.key(key)]).read()
        #expect(!found.isEmpty)
        // The memory map of a process changes between two reads.
        guard path != "/proc/self/maps" else { continue }
        #expect(found == Array(FileManager.default.contents(atPath: path) ?? Data()))
        #expect(try DurableFile.read(at: path, upTo: 1 << 20) == found)
        #expect(try DurableFile.read(at: path, upTo: max(found.count, 4_096)) == found)
      }
      #expect(try names(in: directory) == ["sealed"])
      let limited = SealOptions(maximumPayloadLength: 0)
      #expect(
        code {
          try SealedFile.seal(contentsOf: path, to: sealed, for: [.key(key)], options: limited)
        }
          == .limitExceeded)
    }
  }

  @Test func `A file that states no size is read up to the limit and not beyond`() throws {
    let count = try DurableFile.read(at: "/proc/version", upTo: 1 << 20).count
    #expect(code { try DurableFile.read(at: "/proc/version", upTo: count - 1) } == .limitExceeded)
    #expect(code { try DurableFile.read(at: "/proc/version", upTo: count) } == nil)
    #expect(code { try DurableFile.read(at: "/proc/version", upTo: count + 1) } == nil)
  }

  @Test func `A file can be sealed and extracted over itself`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      try write(pattern(200_000), to: path)
      try SealedFile.seal(contentsOf: path, to: path, for: [.key(key)])
      let opened = try SealedFile.open(path, with: [.key(key)])
      #expect(try opened.read() == pattern(200_000))
      try opened.extract(to: path)
      #expect(try contents(of: path) == pattern(200_000))
      #expect(try names(in: directory) == ["file"])
    }
  }

  @Test func `A file with a damaged chunk is not extracted`() throws {
    try withTemporaryDirectory { directory in
      let sample = try Sample(count: 100 * Sample.chunk)
      var bytes = sample.bytes
      bytes[sample.sealedRange(99).lowerBound] ^= 1
      let sealed = directory + "/sealed"
      try write(bytes, to: sealed)
      let opened = try SealedFile.open(sealed, with: [.key(sample.key)])
      let failure = error { try opened.extract(to: directory + "/out") }
      #expect(failure == SealError(.damagedChunk, path: sealed, chunkIndex: 99))
      #expect(try names(in: directory) == ["sealed"])
    }
  }

  @Test func `Links and absent files are refused as a source`() throws {
    try withTemporaryDirectory { (directory) throws in
      #expect(run("ln", "-s", "/etc/hostname", directory + "/link"))
      let target = directory + "/sealed"
      for (name, expected) in [("link", SealError.Code.notRegularFile), ("absent", .fileAbsent)] {
        let failure = error {
          try SealedFile.seal(contentsOf: directory + "/" + name, to: target, for: [.key(key)])
        }
        #expect(failure?.code == expected)
        #expect(failure?.path == directory + "/" + name)
      }
      #expect(try names(in: directory) == ["link"])
    }
  }

  @Test func `A source that shrinks meanwhile stops the seal`() throws {
    try withTemporaryDirectory { directory in
      let (plain, sealed) = (directory + "/plain", directory + "/sealed")
      try write(pattern(3 << 20), to: plain)
      let options = SealOptions(threadCount: 1)
      let failure = error {
        try SealedFile.seal(contentsOf: plain, to: sealed, for: [.key(key)], options: options) {
          _ in
          run("truncate", "-s", "1000000", plain)
        }
      }
      #expect(failure == SealError(.changedMeanwhile, path: plain))
      #expect(try names(in: directory) == ["plain"])
    }
  }

  @Test(arguments: ["truncate -s +1", "printf x | dd conv=notrunc status=none of="])
  func `A source that grows or changes meanwhile stops the seal`(change: String) throws {
    try withTemporaryDirectory { directory in
      let (plain, sealed) = (directory + "/plain", directory + "/sealed")
      try write(pattern(3 << 20), to: plain)
      // The file gets a time of an hour ago, since file systems count time in ticks.
      #expect(run("touch", "-d", "1 hour ago", plain))
      let options = SealOptions(threadCount: 1)
      let failure = error {
        try SealedFile.seal(contentsOf: plain, to: sealed, for: [.key(key)], options: options) {
          _ in
          run("sh", "-c", change.hasSuffix("=") ? change + plain : change + " " + plain)
        }
      }
      #expect(failure == SealError(.changedMeanwhile, path: plain))
      #expect(try names(in: directory) == ["plain"])
    }
  }

  @Test func `An extracted file has no name until it is complete`() throws {
    try withTemporaryDirectory { directory in
      // Without nameless files, there is a temporary name.
      guard (try? Directory(path: directory).createNamelessFile()) != nil else { return }
      let (sealed, out) = (directory + "/sealed", directory + "/out")
      try SealedFile.seal(pattern(3 << 20).span, to: sealed, for: [.key(key)])
      try write([1], to: out)
      let opened = try SealedFile.open(sealed, with: [.key(key)])
      var seen: Set<[String]> = []
      for _ in 0..<2 {
        try opened.extract(to: out) { _ in
          seen.insert((try? names(in: directory)) ?? [])
          return true
        }
        #expect(try contents(of: out) == pattern(3 << 20))
      }
      try FileManager.default.removeItem(atPath: out)
      try opened.extract(to: out)
      #expect(try contents(of: out) == pattern(3 << 20))
      #expect(seen == [["out", "sealed"]])
    }
  }

  @Test func `A plaintext is sealed into memory that the caller provides`() throws {
    let plaintext = pattern(100_000)
    let options = SealOptions(publicMetadata: [1, 2, 3], creator: "tests")
    let length = SealedFile.sealedLength(ofPlaintext: 100_000, recipientCount: 1, options: options)
    let bytes = try [UInt8](capacity: length + 1) { output throws in
      output.append(7)
      try SealedFile.seal(plaintext.span, into: &output, for: [.key(key)], options: options)
      #expect(output.freeCapacity == 0)
    }
    #expect(try SealedFile.open(bytes: Array(bytes[1...]), with: [.key(key)]).read() == plaintext)
    let failure = error {
      _ = try [UInt8](capacity: length - 1) { output throws in
        try SealedFile.seal(plaintext.span, into: &output, for: [.key(key)], options: options)
      }
    }
    #expect(failure?.code == .invalidRange)
  }
}
