import KeepsakeArchive

extension MigrationError: CustomStringConvertible {
  /// A full sentence that names both versions, or the step, and says what to do.
  public var description: String { sentence.displayed }

  private var sentence: String {
    switch code {
    case .backwardsStep, .cycle, .duplicateStep, .gap, .overlap, .stepBeyondProgram:
      "The migration plan cannot be used, because \(detail); correct its steps, no saved state was "
        + "touched."
    case .stepFailed: stepFailure
    case .unusableArchive:
      "The saved state could not be migrated and is as it was: \(detail)"
    default: refusal
    }
  }

  private var writer: String { "version \(archiveVersion ?? "unknown")" }
  private var program: String { "version \(programVersion ?? "unknown")" }

  private var refusal: String {
    switch code {
    case .missingVersion:
      "The saved state does not say which bundle version wrote it, so this program, \(program), "
        + "does not open it; start fresh, and the next save will record the version."
    case .stale:
      "The saved state is stale: \(writer) wrote it, and this program, \(program), opens only "
        + "\(detail); start fresh, the next save replaces it."
    case .laterThanAllowed:
      "The saved state is later than allowed: \(writer) wrote it, and this program, \(program), "
        + "opens only \(detail); start fresh, the next save replaces it."
    case .fromTheFuture:
      "The saved state is from the future: \(writer) wrote it, and this program is \(program) and "
        + "opens only \(detail); update the program, or start fresh."
    case .idiomMismatch:
      "The saved state, which \(writer) wrote, belongs to another kind of interface than this "
        + "program, \(program), has: \(detail); start fresh, the next save replaces it."
    case .expired:
      "The saved state, which \(writer) wrote, is too old for this program, \(program): \(detail); "
        + "start fresh, the next save replaces it."
    case .refusedByPolicy:
      "The saved state, which \(writer) wrote, is not opened by this program, \(program), because "
        + "\(detail); start fresh, the next save replaces it."
    case .malformedVersion where programVersion != nil:
      "The saved state names \"\(archiveVersion ?? "")\" as the bundle version that wrote it, which "
        + "is not a version: \(detail); start fresh, the next save of this program, \(program), "
        + "replaces it."
    default:
      "\"\(archiveVersion ?? "")\" is not a bundle version: \(detail); write numbers separated by "
        + "periods, as in 11.0.2."
    }
  }

  private var joinedKeyPath: String {
    keyPath.reduce("") { path, step in
      path + (path.isEmpty || step.hasPrefix("[") ? "" : ".") + step
    }
  }

  private var stepFailure: String {
    var places: [String] = []
    if let objectID { places.append("object \(objectID)") }
    if !keyPath.isEmpty { places.append("key path \(joinedKeyPath)") }
    let place = places.isEmpty ? "" : " at \(places.joined(separator: ", "))"
    let edit = edit.map { " (\($0))" } ?? ""
    return "The migration step \(step ?? "unknown")\(edit) failed\(place): \(detail). The saved "
      + "state is as it was; mend the step, or start fresh."
  }
}
