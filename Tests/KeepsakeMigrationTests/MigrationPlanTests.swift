import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

@Suite struct `A migration plan` {
  private func makePlan(
    _ pairs: [(String, String)], schema: [(UInt32, UInt32)] = [], program: String = "12"
  ) throws -> MigrationPlan {
    try MigrationPlan(
      programVersion: try version(program),
      steps: try pairs.map { from, to in
        MigrationStep(from: try version(from), to: try version(to), edits: [])
      },
      schemaSteps: schema.map { from, to in
        SchemaMigrationStep(ofType: "T", from: from, to: to) { _ in }
      })
  }

  @Test(
    arguments: [
      (
        [("10", "11"), ("12", "13")], .gap,
        "no step leads from the end of 10 -> 11 to the beginning of 12 -> 13"
      ),
      ([("11", "10")], .backwardsStep, "the step 11 -> 10 does not lead forward"),
      ([("10", "10.0")], .backwardsStep, "the step 10 -> 10.0 does not lead forward"),
      (
        [("10", "11"), ("11", "12"), ("12", "10")], .cycle,
        "the step 12 -> 10 leads back to where other steps came from"
      ),
      (
        [("12", "10"), ("10", "10"), ("10", "12")], .cycle,
        "the step 12 -> 10 leads back to where other steps came from"
      ),
      ([("10", "11"), ("12", "11")], .backwardsStep, "the step 12 -> 11 does not lead forward"),
      (
        [("10", "11"), ("10.0", "12")], .duplicateStep,
        "the steps 10 -> 11 and 10.0 -> 12 begin with one version"
      ),
      (
        [("9", "11"), ("10", "12")], .overlap,
        "the step 10 -> 12 begins before the step 9 -> 11 has ended"
      ),
      (
        [("11", "12"), ("12", "12.1")], .stepBeyondProgram,
        "the step 12 -> 12.1 leads beyond version 12 of this program"
      ),
    ] as [([(String, String)], MigrationError.Code, String)])
  func `A plan whose steps are no chain is refused`(
    pairs: [(String, String)], code: MigrationError.Code, reason: String
  ) {
    let error = migrationError { _ = try makePlan(pairs) }
    #expect(error?.code == code)
    #expect(error?.step != nil)
    if code == .stepBeyondProgram { #expect(error?.programVersion == "12") }
    #expect(
      error?.description
        == "The migration plan cannot be used, because \(reason); correct its steps, no saved state "
        + "was touched.")
  }

  @Test(
    arguments: [
      ([(1, 2), (3, 4)], .gap), ([(2, 1)], .backwardsStep), ([(1, 2), (1, 3)], .duplicateStep),
      ([(1, 2), (2, 1)], .cycle), ([(1, 3), (2, 4)], .overlap),
    ] as [([(UInt32, UInt32)], MigrationError.Code)])
  func `A plan whose steps of a type are no chain is refused`(
    pairs: [(UInt32, UInt32)], code: MigrationError.Code
  ) {
    #expect(migrationError { _ = try makePlan([], schema: pairs) }?.code == code)
  }

  @Test func `A plan orders its steps and finds those that an archive needs`() throws {
    let plan = try makePlan([("11", "11.5"), ("9", "10"), ("10", "11")], program: "12")
    #expect(plan.steps.map(\.description) == ["9 -> 10", "10 -> 11", "11 -> 11.5"])
    let expected: [(String, Int)] = [
      ("9", 3), ("9.9", 3), ("10", 2), ("10.7.1", 2), ("11.0", 1), ("11.5", 0), ("12", 0),
    ]
    for (text, count) in expected {
      #expect(try plan.steps(for: .init(bundleVersion: text)).count == count, "\(text)")
    }
    let stale = migrationError { _ = try plan.steps(for: .init(bundleVersion: "8.9")) }
    #expect(stale?.code == .stale && stale?.archiveVersion == "8.9")
    #expect(
      migrationError { _ = try plan.steps(for: .init(bundleVersion: "12.1")) }?.code
        == .fromTheFuture)
    #expect(migrationError { _ = try plan.steps(for: .init()) }?.code == .missingVersion)
  }

  @Test func `The refusal of a plan names the version at which its steps start`() throws {
    let plan = try MigrationPlan(
      programVersion: try version("12"), policy: .atLeast(try version("1")),
      steps: [.init(from: try version("9"), to: try version("10"), edits: [])])
    let error = migrationError { _ = try plan.steps(for: .init(bundleVersion: "8")) }
    #expect(
      error?.description
        == "The saved state is stale: version 8 wrote it, and this program, version 12, opens only "
        + "version 9 or later, which is where its migration begins; start fresh, the next save "
        + "replaces it.")
  }

  @Test func `A plan without steps opens only its own version`() throws {
    let plan = try makePlan([])
    #expect(try plan.steps(for: .init(bundleVersion: "12.0")).isEmpty)
    #expect(migrationError { _ = try plan.steps(for: .init(bundleVersion: "11")) }?.code == .stale)
    #expect(plan.description == "Migration to version 12:\n  nothing to do")
  }

  @Test func `A plan is shown as text`() throws {
    let plan = try MigrationPlan(
      programVersion: try version("12"),
      steps: [
        .init(
          from: try version("10.0"), to: try version("11.0"), "contacts have whole names",
          edits: [
            .renameKey("nm", to: "name", ofType: "Contact"),
            .setDefault(.bool(false), forKey: "isNew", inScope: ["Base"], ofType: "Contact"),
            .splitKeys(["a", "b"], intoObjectOfType: "Part", under: "part", ofType: "Contact"),
            .editDocument("join what belongs together") { _ in },
          ])
      ],
      schemaSteps: [.init(ofType: "Contact", from: 1, to: 2, "ages are numbers") { _ in }])
    #expect(
      plan.description == """
        Migration to version 12:
          10.0 -> 11.0: contacts have whole names
            rename key nm to name in Contact
            give key Base.isNew of Contact the default false
            split keys a, b of Contact off into a Part under part
            join what belongs together
          schema of Contact, 1 -> 2: ages are numbers
        """)
  }
}
