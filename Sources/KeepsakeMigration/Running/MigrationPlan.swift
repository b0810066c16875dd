public import KeepsakeArchive

/// The single chain of steps that migrates older archives to a program's own version.
///
/// A plan is checked when it is made, so a running program has a plan without gaps. It describes itself as text.
/// Rules: Spec/migration.md, section 4.
///
/// ```swift
/// let plan = try MigrationPlan(
///   programVersion: version, steps: [toTen, toEleven])
/// let migrated = try plan.migrate(archive)
/// ```
public struct MigrationPlan: Sendable {
  /// The version of this program.
  package let programVersion: BundleVersion
  /// The rule for the archives that are opened and migrated.
  package let policy: VersionPolicy
  /// The steps, the earliest first.
  public let steps: [MigrationStep]
  /// The steps of single types, grouped by type; the steps of one type are in the order of their versions.
  package let schemaSteps: [SchemaMigrationStep]
  /// True when an edit that matches nothing fails the migration; when false, the report names the edit
  /// (``MigrationReport/Step/unmatchedEdits``).
  ///
  /// An edit matches nothing when no object has its type or its key. Set this flag in tests of a plan, with an
  /// archive that has all types and keys.
  public var requiresMatches = false

  /// Makes a plan of steps in any order, each of which begins with the version that another leads to.
  ///
  /// The last step may lead to an earlier version than the program's. The default policy opens archives of the version
  /// that the first step begins with and of later versions; without steps, only archives of this version.
  ///
  /// - Throws: ``MigrationError`` for a step that leads backwards or beyond the program, a cycle, two
  ///   steps from one version, a gap or an overlap; each names the steps.
  public init(
    programVersion: BundleVersion, policy: VersionPolicy? = nil, steps: [MigrationStep],
    schemaSteps: [SchemaMigrationStep] = []
  ) throws(MigrationError) {
    self.programVersion = programVersion
    self.steps = try StepChain.ordered(steps.map(StepChain.Link.init)).map { steps[$0] }
    if let last = self.steps.last, last.to > programVersion {
      throw MigrationError(
        .stepBeyondProgram, programVersion: programVersion.text,
        message: "the step \(last) leads beyond version \(programVersion) of this program",
        step: "\(last)")
    }
    self.schemaSteps = try Self.ordered(schemaSteps)
    self.policy = policy ?? self.steps.first.map { .atLeast($0.from) } ?? .exactly
  }

  private static func ordered(
    _ steps: [SchemaMigrationStep]
  ) throws(MigrationError) -> [SchemaMigrationStep] {
    var types: [ArchiveKey] = []
    for step in steps {
      let type = ArchiveKey(step.typeName)
      if !types.contains(type) { types.append(type) }
    }
    var ordered: [SchemaMigrationStep] = []
    for type in types {
      let own = steps.filter { ArchiveKey($0.typeName) == type }
      ordered += try StepChain.ordered(own.map(StepChain.Link.init)).map { own[$0] }
    }
    return ordered
  }

  /// The gate of the plan's policy.
  package var gate: VersionGate { VersionGate(programVersion: programVersion, policy: policy) }

  /// The steps that an archive needs, in their order; empty when it has the program's layout already.
  ///
  /// - Throws: ``MigrationError`` when the policy refuses the archive, or no step begins with its
  ///   version.
  public func steps(for reserved: ReservedValues) throws(MigrationError) -> [MigrationStep] {
    let version = try gate.check(reserved)
    guard let first = steps.first, version < first.from else {
      return steps.filter { $0.to > version }
    }
    throw MigrationError(
      .stale, archiveVersion: version.text, programVersion: programVersion.text,
      message: "version \(first.from) or later, which is where its migration begins")
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The steps and their edits, one on each line.
  public var description: String {
    var lines = ["Migration to version \(programVersion):"]
    for step in steps {
      lines.append("  \(step)\(step.summary.isEmpty ? "" : ": \(step.summary)")")
      lines += step.edits.map { "    \($0)" }
    }
    for step in schemaSteps {
      lines.append("  \(step)\(step.summary.isEmpty ? "" : ": \(step.summary)")")
    }
    if lines.count == 1 { lines.append("  nothing to do") }
    return lines.joined(separator: "\n")
  }
}
