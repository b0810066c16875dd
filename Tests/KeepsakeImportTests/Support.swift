import Foundation
import KeepsakeArchive
import KeepsakeImport

/// The import error of some work; nil when it has none.
func importError<Result>(_ body: () throws -> Result) -> ImportError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ImportError
  }
}
