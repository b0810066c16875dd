import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  // Each copy shows the disk at some moment.
  @Suite struct `A disk that is copied while a process seals again and again` {
    @Test(.needs(.loop))
    func `A copy has a file at least as new as the last acknowledged one`() throws {
      let disk = try PowerCutDisk(for: .seal)
      var ledger = Ledger("copies of a disk while it is written")
      // Only synchronised data reaches the image; the journal itself commits only after minutes.
      try disk.mount("commit=300,noauto_da_alloc,data=writeback")
      let files = try OutputFiles()
      defer { files.remove() }
      let writer = try Command.start(
        [Scene.subject, "reseal", disk.scene.directory + "/state", "1000000", "9000"],
        environment: disk.scene.environment, files: files)
      var acknowledged: [UInt64] = []
      for _ in 0..<40 {
        let last = acknowledged.last ?? 0
        while Self.lastGeneration(files) < last + 7 {
          try #require(writer.isRunning, "\(files.text(of: files.output).suffix(200))")
        }
        // The writer is stopped anywhere in its protocol. Its last line is the last acknowledged generation.
        kill(writer.processIdentifier, SIGSTOP)
        let said = Self.lastGeneration(files)
        acknowledged.append(said)
        try disk.keepCopy()
        kill(writer.processIdentifier, SIGCONT)
      }
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
      try disk.unmount()
      for (index, said) in acknowledged.enumerated() {
        try disk.mountCopy(index)
        let content = try DirectoryContent(of: disk.scene.directory, key: disk.scene.key)
        guard case .sealed(let generation, let bytes, _) = content.entries["state"] else {
          Issue.record("copy \(index) has no state")
          continue
        }
        #expect(bytes == plaintext(generation, 9_000))
        #expect(generation >= said && generation <= said + 2, "copy \(index)")
        try disk.unmount()
        ledger.count(generation == said ? "the last acknowledged" : "one newer")
      }
      try ledger.close()
    }

    /// The last generation that the writer has reported as sealed.
    private static func lastGeneration(_ files: OutputFiles) -> UInt64 {
      let words = files.text(of: files.output).split(separator: "\n").last {
        $0.hasPrefix("sealed ")
      }
      return words.flatMap { UInt64($0.dropFirst(7)) } ?? 0
    }
  }
}
