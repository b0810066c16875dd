public import KeepsakeMigration
public import KeepsakeRestoration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SaveReport {
  /// The report as JSON with sorted keys, for a log or a tool.
  public var json: String { Keepsake.json(self) }
}

extension RestoreReport {
  /// The report as JSON with sorted keys, for a log or a tool.
  public var json: String { Keepsake.json(self) }
}

extension MigrationReport {
  /// The report as JSON with sorted keys, for a log or a tool.
  public var json: String { Keepsake.json(self) }
}

extension FileMigration {
  /// What became of the file as JSON with sorted keys, for a log or a tool.
  public var json: String { Keepsake.json(self) }
}

/// Reports hold strings, finite numbers and truth values only, which JSON can always write.
private func json(_ report: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return (try? encoder.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
}
