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

/// A report as JSON; reports hold only strings, finite numbers and Boolean values, which JSON can always encode.
func json(_ report: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return (try? encoder.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
}
