/// The treatment of keys in the file of a ``SealedValueStore`` that the type of the value does not know.
///
/// A type knows the keys that it asks for while it is decoded, and those that it writes. All others are unknown: keys
/// of a newer program, or of a property that was renamed without a ``ValueMigration``. Rules: Spec/state.md, section 6.
public struct UnknownKeys: Sendable {
  enum Treatment: Sendable {
    case keep
    case report(@Sendable (UnknownKeyReport) -> Void)
    case refuse
  }

  let treatment: Treatment

  /// Keeps unknown keys with their values through `load`, `update` and `save`.
  ///
  /// ``SealedValueStore/unknownKeyReport`` names them.
  public static let keep = UnknownKeys(treatment: .keep)

  /// Refuses to load or to update a value that has unknown keys, with the code `valueUnreadable`.
  public static let refuse = UnknownKeys(treatment: .refuse)

  /// Keeps unknown keys as ``keep`` does, and calls a closure after each load, update or save that found some.
  ///
  /// The closure runs on the thread of the call, after the lock was released.
  public static func report(
    _ handler: @escaping @Sendable (UnknownKeyReport) -> Void
  ) -> UnknownKeys {
    UnknownKeys(treatment: .report(handler))
  }

  func callHandler(_ report: UnknownKeyReport) {
    if case .report(let handler) = treatment, !report.isEmpty { handler(report) }
  }
}

/// The keys of a stored value that its type does not know, as paths such as `habits[].goal`.
///
/// `[]` stands for the elements of an array and for the values of a dictionary. Control characters are escaped, and
/// long paths are cut.
public struct UnknownKeyReport: Hashable, Sendable, CustomStringConvertible {
  /// The keys that are kept with their values, in the order of their bytes.
  public let kept: [String]
  /// The keys that the next save, or the save that this report is about, leaves out.
  ///
  /// They are in elements that moved or were removed, in values that the type no longer writes, and in containers
  /// whose `allKeys` the type read.
  public let lost: [String]

  /// The migrations whose former types left keys out, such as `from version 1 to version 2 (habits have names)`.
  public let migrations: [String]

  package init(kept: Set<String> = [], lost: Set<String> = [], migrations: [String] = []) {
    self.migrations = migrations.map(\.displayed)
    self.kept = kept.map(\.displayed).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.lost = lost.map(\.displayed).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// True when the type knows all keys.
  public var isEmpty: Bool { kept.isEmpty && lost.isEmpty }

  /// The keys in a sentence.
  public var description: String {
    if isEmpty { return "All keys are known." }
    return [
      kept.isEmpty ? nil : "Unknown and kept: \(kept.joined(separator: ", ")).",
      lost.isEmpty ? nil : "Unknown and not kept: \(lost.joined(separator: ", ")).",
      migrations.isEmpty ? nil : "Left out by the migration \(migrations.joined(separator: ", ")).",
    ].compactMap(\.self).joined(separator: " ")
  }
}

extension KeepsakeError {
  /// The error of a value whose keys are refused as unknown.
  init(unknown report: UnknownKeyReport, of typeName: String, at path: String) {
    let names = (report.kept + report.lost).joined(separator: ", ")
    self.init(
      .valueUnreadable,
      "The value at \(path) was neither loaded nor changed, because it has keys that \(typeName) does not know: "
        + "\(DisplayedPath.text(of: [names])); add them to the type, or a migration that renames or removes them.",
      at: path)
  }
}
