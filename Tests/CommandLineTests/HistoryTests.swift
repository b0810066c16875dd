import Foundation
import Testing

/// Files that each release wrote (Spec/Vectors/history), read by the current tool.
@Suite struct `Files of earlier releases` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/history")

  private static let releases =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.first?.isNumber == true }.sorted() ?? []

  /// Runs a test on the files of a release, which get the permissions that keys need.
  private func withFiles(of release: String, _ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      for name in ["archive", "sealed", "key", "identity", "signer", "values.json"] {
        try place.write(
          name, try Data(contentsOf: Self.folder.appendingPathComponent("\(release)/\(name)")))
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: place.url(name).path)
      }
      try body(place)
    }
  }

  @Test func `The files of the first release are kept`() {
    #expect(Self.releases.contains("0.1.0"))
  }

  @Test(arguments: releases)
  func `Files of each release are read as they were written`(release: String) throws {
    try withFiles(of: release) { place in
      #expect(try place.succeed("verify", "archive").output.hasPrefix("archive: an archive, "))
      let verified = try place.succeed("verify", "archive", "--json").output
      #expect(verified.contains("\"sound\""), "\(verified)")
      let values = try String(decoding: place.read("values.json"), as: UTF8.self)
      #expect(try place.succeed("export", "archive").output == values)
      let signer = try String(decoding: place.read("signer"), as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      for key in ["key", "identity"] {
        let opened = try place.succeed(
          "open", "sealed", "-k", key, "--context", "history", "--signer", signer)
        #expect(try opened.data == place.read("archive"))
      }
      try place.fail(77, "open", "sealed", "-k", "key", "--context", "other")
    }
  }

  @Test(arguments: releases)
  func `The current tool writes the bytes of each release`(release: String) throws {
    try withFiles(of: release) { place in
      let content = Self.folder.appendingPathComponent("content.plist").path
      try place.succeed(
        "import", content, "--type", "Contacts", "--bundle-version", release, "-o", "again")
      #expect(try place.read("again") == place.read("archive"))
    }
  }
}
