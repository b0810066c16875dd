internal import ArchiveForgery
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeDocuments
internal import KeepsakeMigration

/// Copies an archive without its types, and migrates it.
///
/// The input is a byte with a number of edits, a byte for each edit, and the archive. The result must be
/// canonical, and the same when it is written again. Migrating object by object must have the same result as
/// migrating with the programs of the shapes.
@main struct FuzzArchiveMigrate {
  static func main() throws {
    let target = FuzzTarget(
      seeds: {
        let plans: [[UInt8]] = [[0], [3, 0, 4, 6], [4, 1, 2, 3, 5], [6, 7, 8, 9, 10, 11, 0]]
        return try ArchiveSeeds.archives().flatMap { archive in plans.map { $0 + archive } }
      },
      repair: { input, choice in
        let start = min(1 + Int(input.first ?? 0) % 8, input.count)
        return Array(input[..<start]) + ArchiveForger.repaired(Array(input[start...]), choice)
      },
      body: { input in
        let start = min(1 + Int(input.first ?? 0) % 8, input.count)
        guard let archive = try? Archive(Array(input[start...])) else { return }
        copy(archive)
        migrate(archive, edits: input[min(1, start)..<start].map(edit))
      })
    try target.run()
  }

  private static func copy(_ archive: Archive) {
    for order in [ObjectOrder.stored, .firstReference, .reachable] {
      do throws(ArchiveError) {
        let bytes = try ArchiveDocument(archive).encoded(order: order)
        check(bytes)
        let again = try ArchiveDocument(Archive(bytes)).encoded(order: order)
        precondition(again == bytes, "a copy of a copy differs")
      } catch {
        precondition(!error.description.isEmpty)
      }
    }
  }

  /// Checks that a written archive can be read and is canonical.
  private static func check(_ bytes: [UInt8]) {
    do throws(ArchiveError) {
      if case .notCanonical(let error) = try Archive(bytes).verdict() { throw error }
    } catch {
      preconditionFailure("a written archive is refused: \(error)")
    }
  }

  private static func migrate(_ archive: Archive, edits: [MigrationEdit]) {
    guard let zero = try? BundleVersion("0"), let one = try? BundleVersion("1000000"),
      let plan = try? MigrationPlan(
        programVersion: one, steps: [MigrationStep(from: zero, to: one, edits: edits)])
    else { preconditionFailure("no plan") }
    // When every change is listed, every object is read whole; otherwise none is.
    let whole = Result { () throws(MigrationError) in try plan.migrate(archive, listing: .max) }
    let byShape = Result { () throws(MigrationError) in try plan.migrate(archive) }
    switch (whole, byShape) {
    case (.success(let one), .success(let other)):
      precondition(one.bytes == other.bytes, "two ways to migrate give different bytes")
      precondition(
        one.report.steps.map(\.changedCount) == other.report.steps.map(\.changedCount),
        "two ways to migrate count different changes")
      if let bytes = one.bytes { check(bytes) }
    case (.failure(let one), .failure(let other)):
      precondition(one.code == other.code, "\(one) and \(other)")
    case (.success, .failure(let error)), (.failure(let error), .success):
      preconditionFailure("only one of two ways to migrate fails: \(error)")
    }
  }

  private static func edit(_ choice: UInt8) -> MigrationEdit {
    let type = ["T", "U", "P", ""][Int(choice >> 4) % 4]
    return switch choice % 16 {
    case 0: .renameKey("scalar 1", to: "renamed", ofType: type)
    case 1: .renameKey("x", to: "nil number", ofType: type)
    case 2: .moveKey("flags", fromScope: ["scope"], toScope: [], ofType: type)
    case 3: .moveKey("points", fromScope: [], toScope: ["scope"], ofType: type)
    case 4: .removeKey("mixed", inScope: ["scope"], ofType: type)
    case 5: .removeKey("dictionary", ofType: type)
    case 6: .setDefault(.string("new"), forKey: "added", ofType: type)
    case 7: .setDefault(.signed(1, bitWidth: 16), forKey: "scalar 2", ofType: type)
    case 8: .renameType(type, to: "Renamed")
    case 9:
      .convertKey("scalar 5", ofType: type) { value in
        guard case .unsigned(let number, _) = value else { return value }
        return .string("\(number)")
      }
    case 10: .convertKey("optional text", ofType: type) { _ in .null }
    case 11: .wrapKeys(["scalar 3", "doubles"], inRecord: "wrapped", ofType: type)
    case 12: .unwrapRecord("wrapped", ofType: type)
    case 13:
      .editRecords(ofType: type, "drop the first") { $0.fields = Array($0.fields.dropFirst()) }
    case 14:
      .editRecords(ofType: type, "name a template") { record in
        record[.template] = .string("template")
      }
    default: .editObjects("leave all as they are") { _ in }
    }
  }
}
