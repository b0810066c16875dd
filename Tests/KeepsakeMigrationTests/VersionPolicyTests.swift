import KeepsakeArchive
import KeepsakeMigration
import Testing

@Suite struct `A version policy` {
  private static let now = ArchiveDate(secondsSinceReferenceDate: 1_000_000)

  private func check(_ policy: VersionPolicy, _ reserved: ReservedValues) -> MigrationError? {
    migrationError {
      try VersionGate(programVersion: try version("11.0"), policy: policy).check(reserved)
    }
  }

  private func reserved(_ idiom: Int? = nil, age: Double? = nil) -> ReservedValues {
    ReservedValues(
      bundleVersion: "11.0", userInterfaceIdiom: idiom,
      timestamp: age.map { .init(secondsSinceReferenceDate: 1_000_000 - $0) })
  }

  @Test func `A policy refuses another idiom and an absent one`() {
    let policy = VersionPolicy.exactly.requiringIdiom(1)
    #expect(check(policy, reserved(1)) == nil)
    #expect(check(policy, reserved(2))?.code == .idiomMismatch)
    #expect(
      check(policy, reserved(nil))?.description
        == "The saved state, which version 11.0 wrote, belongs to another kind of interface than "
        + "this program, version 11.0, has: it names no user interface idiom, and this program runs "
        + "under the idiom 1; start fresh, the next save replaces it.")
    #expect(check(.exactly, reserved(2)) == nil)
  }

  @Test func `A policy refuses a state that was saved too long ago`() {
    let policy = VersionPolicy.exactly.expiring(afterSeconds: 86_400) { Self.now }
    #expect(check(policy, reserved(age: 86_400)) == nil)
    #expect(check(policy, reserved(age: -5_000)) == nil)
    #expect(
      check(policy, reserved(age: 200_000))?.description
        == "The saved state, which version 11.0 wrote, is too old for this program, version 11.0: it "
        + "was saved 2 days ago, and this program opens none older than 1 day; start fresh, the next "
        + "save replaces it.")
    #expect(
      check(policy, reserved())?.message
        == "it does not say when it was saved, and this program opens none older than 1 day")
    for age in [Double.nan, .infinity, 1e300] {
      #expect(check(policy, reserved(age: age))?.code == .expired)
    }
  }

  @Test func `A refusal states a span of time in its largest whole unit`() {
    let spans: [(Double, String)] = [
      (86_399, "23 hours"), (7_200, "2 hours"), (3_600, "1 hour"), (3_599, "59 minutes"),
      (60, "1 minute"), (59, "59 seconds"), (1, "1 second"),
    ]
    for (seconds, words) in spans {
      let policy = VersionPolicy.exactly.expiring(afterSeconds: seconds) { Self.now }
      #expect(check(policy, reserved())?.message.hasSuffix(" none older than \(words)") == true)
    }
  }

  @Test func `An app's rules are called last, with all facts`() throws {
    let eleven = try version("11.0")
    let policy = VersionPolicy.atLeast(try version("10")).requiringIdiom(1)
      .deciding { facts in
        #expect(facts.programVersion == eleven && facts.reserved.userInterfaceIdiom == 1)
        return facts.archiveVersion == eleven ? .open : .refuse("it is of the trial period")
      }
      .deciding { $0.reserved.systemVersion == nil ? .refuse("it names no system") : .open }
    var reserved = reserved(1)
    #expect(check(policy, reserved)?.message == "it names no system")
    reserved.systemVersion = "12"
    #expect(check(policy, reserved) == nil)
    reserved.bundleVersion = "10.5"
    #expect(
      check(policy, reserved)?.description
        == "The saved state, which version 10.5 wrote, is not opened by this program, version 11.0, "
        + "because it is of the trial period; start fresh, the next save replaces it.")
    // The rules on versions are checked first: the closure is not called for a version that they refuse.
    for text in ["9", "12", nil, "x"] as [String?] {
      reserved.bundleVersion = text
      #expect(check(policy, reserved)?.code != .refusedByPolicy)
    }
  }

  @Test func `Each refusal is a sentence with both versions`() throws {
    let sentences: [(VersionPolicy, String?, String)] = [
      (
        .exactly, nil,
        "The saved state does not say which bundle version wrote it, so this program, version 11.0, "
          + "does not open it; start fresh, and the next save will record the version."
      ),
      (
        .exactly, "new",
        "The saved state names \"new\" as the bundle version that wrote it, which is not a version: it "
          + "holds a character that is neither a digit nor a period; start fresh, the next save of "
          + "this program, version 11.0, replaces it."
      ),
      (
        .exactly, "11.0.1",
        "The saved state is from the future: version 11.0.1 wrote it, and this program is version "
          + "11.0 and opens only version 11.0; update the program, or start fresh."
      ),
      (
        .atLeast(try version("10")), "9",
        "The saved state is stale: version 9 wrote it, and this program, version 11.0, opens only "
          + "version 10 or later, up to 11.0; start fresh, the next save replaces it."
      ),
      (
        .within(try version("9")...version("10")), "10.1",
        "The saved state is later than allowed: version 10.1 wrote it, and this program, version "
          + "11.0, opens only versions 9 to 10; start fresh, the next save replaces it."
      ),
    ]
    for (policy, text, sentence) in sentences {
      #expect(check(policy, .init(bundleVersion: text))?.description == sentence)
    }
  }

  @Test func `An application's own version key is separate from the built-in one`() throws {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "11.2"))
    try writer.writeObject(.init(1), typeName: "App") { coder in
      coder.encode(11.0, forKey: "MyAppVersion")
      coder.encode("my own", forKey: "bundleVersion")
    }
    try writer.writeObject(.init(2), typeName: "App") { $0.encode(true, forKey: "other") }
    let archive = try Archive(writer.finish(root: .init(1)))
    let app = try archive.object(.init(1))
    #expect(try app.decode(Float.self, forKey: "MyAppVersion") == 11.0)
    // The key is separate from the built-in key, which every object's decoder reads.
    #expect(try app.decode(String.self, forKey: .bundleVersion) == "11.2")
    #expect(try app.decode(String.self, forKey: "bundleVersion") == "my own")
    #expect(archive.reserved.bundleVersion == "11.2")
    let other = try archive.object(.init(2))
    #expect(try other.decodeIfPresent(Float.self, forKey: "MyAppVersion") != 11.0)
    let error = #expect(throws: ArchiveError.self) {
      try other.decode(Float.self, forKey: "MyAppVersion")
    }
    #expect(error?.code == .absentKey && error?.keyPath == ["MyAppVersion"])
  }
}
