import Foundation
import Keepsake
import TestSupport
import Testing

@Suite struct `Migrating a directory` {
  private struct NoKey: Error, CustomStringConvertible {
    var description: String { "the key store is locked" }
  }

  @Test func `A migration continues past a file that cannot be migrated`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      for name in ["a", "b/c", "b"] {
        try DurableFile.createDirectory(at: "\(directory)/\(name)")
      }
      let versions = ["a/1.keepsake": "10", "b/2.keepsake": "12", "b/c/3.keepsake": "10.5"]
      for (name, version) in versions {
        try SealedArchive(version: version).seal(to: "\(directory)/\(name)", keys: [key])
      }
      try SealedArchive(version: "11").seal(to: directory + "/4.keepsake", keys: [key])
      try SealedArchive().seal(to: directory + "/5.keepsake", keys: [key])
      try SealedArchive().seal(to: directory + "/.hidden.keepsake", keys: [key])
      let plan = try SealedArchive.plan()
      func migrate(isDryRun: Bool) throws -> [FileMigration] {
        try plan.migrateFiles(inDirectory: directory, isDryRun: isDryRun) { path in
          if path.hasSuffix("/5.keepsake") { throw NoKey() }
          return [key]
        }
      }
      let rehearsal = try migrate(isDryRun: true)
      let outcomes = try migrate(isDryRun: false)
      #expect(rehearsal.map(\.description) == outcomes.map(\.description))
      #expect(
        outcomes.map { $0.path.dropFirst(directory.count + 1) } == [
          "4.keepsake", "5.keepsake", "a/1.keepsake", "b/2.keepsake", "b/c/3.keepsake",
        ])
      #expect(outcomes.map(\.word) == ["unchanged", "failed", "migrated", "failed", "migrated"])
      #expect(outcomes[1].description.hasSuffix("are unavailable: the key store is locked"))
      let encoded = try outcomes.map { outcome in
        String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
      }
      #expect(encoded[3].contains(#""outcome":"failed""#))
      #expect(encoded[2].contains(#""changed":2"#))
      let again = try migrate(isDryRun: false)
      #expect(again.map(\.word) == ["unchanged", "failed", "unchanged", "failed", "unchanged"])
    }
  }

  @Test func `A migration follows no link, and keeps refused files if it is told to`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let (inside, outside) = (directory + "/inside", directory + "/outside")
      for path in [inside, outside] { try DurableFile.createDirectory(at: path) }
      try SealedArchive().seal(to: outside + "/far.keepsake", keys: [key])
      try SealedArchive(version: "12").seal(to: inside + "/new.keepsake", keys: [key])
      let files = FileManager.default
      try files.createSymbolicLink(atPath: inside + "/a", withDestinationPath: outside)
      try files.createSymbolicLink(
        atPath: inside + "/b.keepsake", withDestinationPath: outside + "/far.keepsake")
      let before = try DurableFile.read(at: outside + "/far.keepsake", upTo: 1 << 20)
      for _ in 0..<2 {
        let outcomes = try SealedArchive.plan().migrateFiles(
          inDirectory: inside, options: .init(keepsRefusedFiles: true)
        ) { _ in [key] }
        #expect(
          outcomes.map { $0.path.dropFirst(inside.count + 1) } == ["b.keepsake", "new.keepsake"])
        #expect(outcomes.map(\.word) == ["failed", "failed"])
        #expect(outcomes[0].description.contains("link"))
      }
      #expect(try DurableFile.read(at: outside + "/far.keepsake", upTo: 1 << 20) == before)
      #expect(
        try directoryNames(inside) == [
          "a", "b.keepsake", "new.keepsake", "new.keepsake.refused-1", "new.keepsake.refused-2",
        ])
    }
  }

  // "The operation could not be completed" tells the reader nothing.
  @Test func `A migration describes an error of Foundation without Foundation's sentence`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      try SealedArchive().seal(to: directory + "/a.keepsake", keys: [key])
      let errors: [any Error] = [
        CocoaError(.fileReadNoSuchFile), POSIXError(.EACCES), NSError(domain: "odd", code: 7),
        CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EIO)]),
      ]
      for error in errors {
        let outcomes = try SealedArchive.plan().migrateFiles(inDirectory: directory) { _ in
          throw error
        }
        guard case .failed(let failure)? = outcomes.first?.outcome else {
          Issue.record("\(outcomes)")
          return
        }
        #expect(failure.message.hasPrefix("The keys of \(directory)/a.keepsake are unavailable: "))
        let text = failure.message.lowercased()
        for phrase in [
          "could not be completed", "couldn’t be completed", "error domain", "userinfo",
        ] {
          #expect(!text.contains(phrase), "\(failure.message)")
        }
      }
    }
  }

  @Test func `A migration enters folders that are named like archives, and skips hidden folders`()
    throws
  {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      for name in ["x.keepsake/y/z", ".git/x"] {
        try DurableFile.createDirectory(at: "\(directory)/\(name)")
        try SealedArchive().seal(to: "\(directory)/\(name)/a.keepsake", keys: [key])
      }
      let outcomes = try SealedArchive.plan().migrateFiles(inDirectory: directory) { _ in [key] }
      #expect(outcomes.map(\.path) == [directory + "/x.keepsake/y/z/a.keepsake"])
      #expect(outcomes.map(\.word) == ["migrated"])
    }
  }

  // No path leads to such a name, so an archive below it is reported.
  @Test func `A migration reports names that are not UTF-8, and leaves those files alone`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      try SealedArchive().seal(to: directory + "/1.keepsake", keys: [key])
      let script = """
        cd "$0" && cp 1.keepsake "$(printf 'r\\351.keepsake')" && mkdir "$(printf 'd\\350')" &&
        cp 1.keepsake "$(printf 'd\\350')/2.keepsake"
        """
      try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script, directory])
        .waitUntilExit()
      let outcomes = try SealedArchive.plan().migrateFiles(inDirectory: directory) { _ in [key] }
      #expect(outcomes.map(\.word) == ["migrated", "failed", "failed"])
      #expect(outcomes.count { $0.description.contains("not UTF-8") } == 2)
    }
  }

  @Test func `A migration continues past a folder that cannot be read, and reports it`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      for name in ["a", "b"] { try DurableFile.createDirectory(at: "\(directory)/\(name)") }
      for name in ["1", "a/2"] {
        try SealedArchive().seal(to: "\(directory)/\(name).keepsake", keys: [key])
      }
      let folder = directory + "/b"
      let outcomes = try SealedArchive.plan().migrateFiles(inDirectory: directory) { path in
        // The migration has listed the folders, and entered none of them yet.
        if path.hasSuffix("/1.keepsake") {
          try FileManager.default.removeItem(atPath: folder)
          try Data().write(to: URL(fileURLWithPath: folder))
        }
        return [key]
      }
      #expect(
        outcomes.map { $0.path.dropFirst(directory.count + 1) } == [
          "1.keepsake", "a/2.keepsake", "b",
        ])
      #expect(outcomes.map(\.word) == ["migrated", "migrated", "failed"])
    }
  }

  @Test func `A directory that does not exist is an error`() throws {
    let error = keepsakeError {
      _ = try SealedArchive.plan().migrateFiles(inDirectory: "/nowhere at all") { _ in [] }
    }
    #expect(error?.code == .storeUnavailable)
  }
}

extension FileMigration {
  fileprivate var word: String {
    switch outcome {
    case .migrated: "migrated"
    case .unchanged: "unchanged"
    case .failed: "failed"
    }
  }
}
