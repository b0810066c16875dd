import KeepsakeArchive
import KeepsakeDocuments

/// One migration of one archive, which is only read; a failure leaves nothing behind.
struct MigrationRun {
  private let archive: Archive
  private let plan: MigrationPlan
  private let objectLimit: Int
  private let stages: [MigrationStage]
  private let isOutdated: Bool
  private var document: ArchiveDocument
  /// The number of each object of the document in the original archive, 0 for one that a step made; nil while all
  /// have their original numbers.
  private var origins: [UInt32]?
  /// True for each edit of each step that has matched an object.
  ///
  /// At least one object of each shape is read whole and passes through all edits of records.
  private var isMatched: [[Bool]]
  private(set) var report: MigrationReport

  init(
    _ archive: Archive, plan: MigrationPlan, steps: [MigrationStep], objectLimit: Int
  ) throws(MigrationError) {
    self.archive = archive
    self.plan = plan
    self.objectLimit = objectLimit
    isOutdated = !steps.isEmpty
    isMatched = steps.map { $0.edits.map { _ in false } } + plan.schemaSteps.map { _ in [true] }
    stages = MigrationStage.stages(
      of: steps.map(\.edits) + plan.schemaSteps.map { [MigrationEdit($0)] })
    report = MigrationReport(
      fromVersion: try BundleVersion(archive.reserved.bundleVersion ?? ""),
      toVersion: plan.programVersion, objectCount: archive.objectCount,
      steps: steps.map {
        .init(name: "\($0)", summary: $0.summary, edits: $0.edits.map(\.description))
      } + plan.schemaSteps.map { .init(name: "\($0)", summary: $0.summary, edits: []) },
      isRewritten: false)
    do throws(ArchiveError) {
      document = try ArchiveDocument(archive)
    } catch {
      throw MigrationError(unusable: error)
    }
  }

  /// Runs all steps, and writes the archive if anything was to do.
  mutating func bytes(limits: ArchiveLimits) throws(MigrationError) -> [UInt8]? {
    var bytes: [UInt8]?
    do {
      for stage in stages {
        if let written = bytes {
          document = try ArchiveDocument(Archive(written, limits: limits))
          bytes = nil
        }
        switch stage {
        case .document(let step, let edit, let place): try make(edit, step, place)
        case .records(let parts):
          // Edits of records need stored objects.
          if !document.hasStoredObjects {
            document = try ArchiveDocument(Archive(written(limits), limits: limits))
          }
          bytes = try rewritten(parts, limits)
        }
      }
      try noteUnmatched()
      report.isRewritten = isOutdated || report.steps.contains { $0.changedCount > 0 }
      guard report.isRewritten else { return nil }
      // The last edit was one of the whole document, or no step has edits.
      if bytes == nil {
        bytes = document.hasStoredObjects ? try rewritten([], limits) : try written(limits)
      }
    } catch let error as MigrationError {
      throw error
    } catch let error as ArchiveError {
      throw MigrationError(unusable: error)
    } catch {
      throw MigrationError(.unusableArchive, message: "\(error)")
    }
    return bytes
  }

  /// Writes the archive after edits of the whole document.
  private mutating func written(_ limits: ArchiveLimits) throws -> [UInt8] {
    document.reserved.bundleVersion = plan.programVersion.text
    var newOrigins: [UInt32] = []
    newOrigins.reserveCapacity(document.objectCount)
    let document = document
    let bytes = try document.encoded(order: .stored, limits: limits) { id, _ in
      newOrigins.append(origin(of: id)?.rawValue ?? 0)
    }
    origins = newOrigins
    return bytes
  }

  /// Passes every stored object through the edits, and writes the archive.
  private mutating func rewritten(
    _ parts: [MigrationStage.Part], _ limits: ArchiveLimits
  ) throws -> [UInt8] {
    document.reserved.bundleVersion = plan.programVersion.text
    let document = document
    var pass = RewritingPass(parts, document)
    noteFullLists(parts, &pass)
    let bytes = try document.rewritten(limits: limits) { object, writer in
      do {
        if try pass.write(object, to: &writer) { return }
      } catch let error as RewritingPass.Failure {
        throw failure(error.cause, parts[error.part].step, error.edit, at: object.objectID)
      }
      var record = try object.dynamicRecord()
      try make(parts, at: object.objectID, &record)
      if objectLimit > 0 { noteFullLists(parts, &pass) }
      try document.write(record, to: &writer)
    }
    for (part, count) in zip(parts, pass.counts) { report.steps[part.step].changedCount += count }
    return bytes
  }

  /// Tells a pass for which parts the list of changes is full.
  private func noteFullLists(_ parts: [MigrationStage.Part], _ pass: inout RewritingPass) {
    for (index, part) in parts.enumerated() {
      pass.isListed[index] = report.steps[part.step].objects.count >= objectLimit
    }
  }

  /// Applies edits of records to an object.
  private mutating func make(
    _ parts: [MigrationStage.Part], at id: ArchiveObjectID, _ record: inout DynamicRecord
  ) throws(MigrationError) {
    var isNested = record.holdsTypedRecords
    for part in parts { try make(part, at: id, &record, &isNested) }
  }

  private mutating func make(
    _ part: MigrationStage.Part, at id: ArchiveObjectID, _ record: inout DynamicRecord,
    _ isNested: inout Bool
  ) throws(MigrationError) {
    let isListed = report.steps[part.step].objects.count < objectLimit
    let before = isListed ? record : nil
    var isChanged = false
    for (edit, place) in zip(part.edits, part.places) {
      do {
        let effect = try edit.apply(to: &record, isNested: &isNested)
        if effect > .match { isChanged = true }
        if effect > .none { isMatched[part.step][place] = true }
      } catch {
        throw failure(error, part.step, edit, at: id)
      }
    }
    guard isChanged else { return }
    report.steps[part.step].changedCount += 1
    if let before {
      list(.changed, id, record, record.differences(from: before), part.step)
    }
  }

  private mutating func make(_ edit: MigrationEdit, _ step: Int, _ place: Int) throws {
    guard case .document(let body) = edit.action else { return }
    // A closure of the program counts as matched, since it checks itself.
    if case .opaque = edit.kind { isMatched[step][place] = true }
    let before = document
    do {
      try body(&document)
    } catch {
      throw failure(error, step, edit, at: nil)
    }
    let edited = document
    try edited.forEachChange(since: before) { id, old, new in
      isMatched[step][place] = true
      switch (old, new) {
      case (let old?, let new?):
        report.steps[step].changedCount += 1
        list(.changed, id, new, new.differences(from: old), step)
      case (nil, let new?):
        report.steps[step].insertedCount += 1
        list(.inserted, id, new, new.differences(from: .init(typeName: new.typeName)), step)
      case (let old?, nil):
        report.steps[step].removedCount += 1
        list(.removed, id, old, [], step)
      case (nil, nil): break
      }
    }
  }

  /// Records the edits that matched nothing, which is an error if the plan says so.
  private mutating func noteUnmatched() throws(MigrationError) {
    for (step, matches) in isMatched.enumerated() {
      let edits = report.steps[step].edits
      report.steps[step].unmatchedEdits = zip(edits, matches).filter { !$1 }.map(\.0)
      guard plan.requiresMatches, let edit = report.steps[step].unmatchedEdits.first else {
        continue
      }
      var failure = MigrationError(
        .stepFailed, archiveVersion: report.fromVersion.text,
        programVersion: report.toVersion.text,
        message: "the edit matches no object; compare its type and keys with the archive's",
        step: report.steps[step].name)
      failure.edit = edit
      throw failure
    }
  }

  private mutating func list(
    _ kind: MigrationReport.ObjectChange.Kind, _ id: ArchiveObjectID, _ record: DynamicRecord,
    _ differences: @autoclosure () -> [RecordDifference], _ step: Int
  ) {
    guard report.steps[step].objects.count < objectLimit else { return }
    report.steps[step].objects.append(
      .init(
        objectID: origin(of: id), typeName: record.typeName, kind: kind,
        differences: differences().map(Self.line)))
  }

  /// A difference as one line, cut to a readable length.
  private static func line(_ difference: RecordDifference) -> String {
    let line = difference.description
    return line.utf8.count <= 200 ? line : line.prefix(160) + " …"
  }

  /// The number of an object in the original archive.
  private func origin(of id: ArchiveObjectID) -> ArchiveObjectID? {
    let index = Int(id.rawValue) - 1
    guard let origins else { return index < archive.objectCount ? id : nil }
    guard origins.indices.contains(index), origins[index] > 0 else { return nil }
    return ArchiveObjectID(origins[index])
  }

  private func failure(
    _ error: any Error, _ step: Int, _ edit: MigrationEdit, at id: ArchiveObjectID?
  ) -> MigrationError {
    let cause = error as? ArchiveError
    var failure = MigrationError(
      .stepFailed, archiveVersion: report.fromVersion.text,
      programVersion: report.toVersion.text, message: cause?.message ?? "\(error)",
      step: report.steps[step].name)
    failure.edit = edit.description
    failure.objectID = (id ?? cause?.objectID).flatMap(origin(of:))
    failure.keyPath = cause?.keyPath ?? []
    failure.underlyingError = cause
    return failure
  }
}

extension MigrationError {
  /// The error of an archive that cannot be read, or cannot be written after its steps.
  init(unusable error: ArchiveError) {
    self.init(.unusableArchive, message: error.description)
    objectID = error.objectID
    keyPath = error.keyPath
    underlyingError = error
  }
}
