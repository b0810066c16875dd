import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  @Suite struct `Ten thousand failures` {
    private func openFiles() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    }

    /// The memory of this process that is not shared with files, in kilobytes.
    private func memory() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      return Int(line?.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `Ten thousand failures leak no descriptors and no memory`() throws {
      let scene = try Scene()
      try scene.reset(for: .seal)
      let path = scene.directory + "/state"
      let other = try SealKey.generate()
      let broken = scene.directory + "/broken"
      try Data(DurableFile.read(at: path, upTo: 1 << 20).dropLast()).write(
        to: URL(fileURLWithPath: broken))
      var failures = 0
      func fail(_ body: () throws -> Void) {
        do { try body() } catch { failures += 1 }
      }
      func round() {
        fail { _ = try SealedFile.open(path, with: [.key(other)]) }
        fail { _ = try SealedFile.open(broken, with: [.key(scene.key)]) }
        fail { _ = try SealedFile.open(path, with: [.key(scene.key)], context: [1]) }
        fail { try SealedFile.seal([1].span, to: "/dev/null", for: [.key(other)]) }
        fail { try DurableFile.createExclusively(at: path, with: [1].span) }
        fail { try DurableFile.replace(at: "/proc/none", with: [1].span) }
        fail { _ = try SealKey.read(at: path) }
        fail { try DurableFile.move(from: path, to: broken) }
        fail { try DurableFile.preserve(path, as: broken) }
        fail { try DurableFile.createDirectory(at: path + "/a") }
      }
      for _ in 0..<50 { round() }
      failures = 0
      let (filesBefore, memoryBefore) = (try openFiles(), try memory())
      for _ in 0..<1_000 { round() }
      #expect(failures == 10_000)
      #expect(try openFiles().count == filesBefore.count)
      let growth = try memory() - memoryBefore
      #expect(growth < 4_096, "\(growth) KiB")
      var ledger = Ledger("failures in one process")
      for _ in 0..<failures { ledger.count("typed errors") }
      ledger.note("KiB more memory", max(growth, 0))
      try ledger.close()
    }
  }
}
