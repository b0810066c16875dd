import KeepsakeArchive
import KeepsakeDocuments

/// Edits that run in one pass over the archive.
///
/// Consecutive edits of records run together, across steps: each object passes through all of them while it is in
/// memory. An edit of the whole document is a stage of its own.
enum MigrationStage {
  /// The edits of one step that belong to the stage.
  struct Part {
    /// The index of the step in the report.
    var step: Int
    var edits: [MigrationEdit]
    /// The indices of the edits among those of the step.
    var places: [Int]
  }

  case records([Part])
  case document(step: Int, edit: MigrationEdit, place: Int)

  /// Divides the edits of all steps into stages.
  static func stages(of steps: [[MigrationEdit]]) -> [MigrationStage] {
    var stages: [MigrationStage] = []
    for (index, edits) in steps.enumerated() {
      for (place, edit) in edits.enumerated() {
        if case .document = edit.action {
          stages.append(.document(step: index, edit: edit, place: place))
        } else if case .records(var parts)? = stages.last {
          if parts.last?.step == index {
            parts[parts.count - 1].edits.append(edit)
            parts[parts.count - 1].places.append(place)
          } else {
            parts.append(Part(step: index, edits: [edit], places: [place]))
          }
          stages[stages.count - 1] = .records(parts)
        } else {
          stages.append(.records([Part(step: index, edits: [edit], places: [place])]))
        }
      }
    }
    return stages
  }
}

extension MigrationEdit {
  /// Applies an edit of records, and returns its effect.
  ///
  /// `isNested` is true when records with type names are nested in the object; searching for them at every edit would
  /// cost more than most edits.
  func apply(to record: inout DynamicRecord, isNested: inout Bool) throws -> Effect {
    var effect = Effect.none
    switch action {
    case .records(let typeName, let body):
      if isNested {
        try record.updateRecords(ofType: typeName.name) { record in
          effect = max(effect, try body(&record))
        }
      } else if ArchiveKey(record.typeName) == typeName {
        effect = try body(&record)
      }
    case .objects(let body): effect = try body(&record)
    case .document: break
    }
    if effect == .nesting { isNested = record.holdsTypedRecords }
    return effect
  }

  /// The edit of a step of a type's schema.
  init(_ step: SchemaMigrationStep) {
    self.init(
      "\(step)",
      .records(ofType: ArchiveKey(step.typeName)) { record in
        guard record.schemaVersion == step.from else { return .none }
        try step.body(&record)
        record.schemaVersion = step.to
        return .nesting
      }, .schema(from: step.from))
  }
}
