import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// An archive of contacts who know each other in a circle, with a list and an object of a type that
/// no step touches.
struct Contacts {
  var version: String? = "10.0"
  var count: UInt32 = 3
  var schemaVersion: UInt32 = 1

  func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter(
      reserved: ReservedValues(bundleVersion: version, userInterfaceIdiom: 1))
    try writer.writeObject(.init(1), typeName: "List", template: "main") { coder in
      coder.encode((0..<count).map { ArchiveReference(.init($0 + 2)) }, forKey: "contacts")
      coder.encode(ArchiveReference(.init(count + 2)), forKey: "settings")
    }
    for index in 0..<count {
      try writer.writeObject(.init(index + 2), typeName: "Contact", schemaVersion: schemaVersion) {
        coder in
        coder.encode("Person \(index)", forKey: "nm")
        coder.encode("\(30 + index)", forKey: "age")
        coder.encode(Address(street: "Street \(index)", city: "Town"), forKey: "home")
        coder.encode(ArchiveReference(.init((index + 1) % count + 2)), forKey: "knows")
        coder.withScope("Base") { $0.encode(index % 2 == 0 ? "note" : nil, forKey: "note") }
      }
    }
    try writer.writeObject(.init(count + 2), typeName: "Settings") { coder in
      coder.encode([1.5, 2.5], forKey: "offsets")
    }
    return try writer.finish(root: .init(1))
  }

  func archive() throws -> Archive { try Archive(bytes()) }
}

struct Address: ArchiveRecord {
  static let archiveTypeName = "Address"
  var street: String
  var city: String

  init(street: String, city: String) {
    self.street = street
    self.city = city
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(street, forKey: "street")
    coder.encode(city, forKey: "city")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    street = try coder.decode(String.self, forKey: "street")
    city = try coder.decode(String.self, forKey: "city")
  }
}

func version(_ text: String) throws -> BundleVersion { try BundleVersion(text) }

/// A step from 10 to 11.
func step(_ edits: MigrationEdit...) throws -> MigrationStep {
  MigrationStep(from: try version("10"), to: try version("11"), edits: edits)
}

/// A plan of one step from 10 to 11, for a program of version 11.0.
func plan(_ edits: MigrationEdit...) throws -> MigrationPlan {
  try MigrationPlan(
    programVersion: try version("11.0"),
    steps: [.init(from: try version("10"), to: try version("11"), edits: edits)])
}

/// The records of an archive after it was migrated by edits; the first is the root.
func migrate(
  _ contacts: Contacts = Contacts(), _ edits: MigrationEdit...
) throws -> [DynamicRecord] {
  let plan = try MigrationPlan(
    programVersion: try version("11.0"),
    steps: [.init(from: try version("10"), to: try version("11"), edits: edits)])
  return try records(of: plan.migrate(contacts.archive()))
}

/// The records of a migrated archive, which is verified.
func records(of migrated: MigratedArchive) throws -> [DynamicRecord] {
  let archive = try Archive(try #require(migrated.bytes))
  try archive.requireCanonical()
  return try records(of: archive)
}

func records(of archive: Archive) throws -> [DynamicRecord] {
  var records: [DynamicRecord] = []
  for number in 1...UInt32(archive.objectCount) {
    records.append(try archive.object(.init(number)).dynamicRecord())
  }
  return records
}

/// The `MigrationError` that a body throws, or nil when it throws none.
func migrationError(_ body: () throws -> Void) -> MigrationError? {
  do {
    try body()
  } catch let error as MigrationError {
    return error
  } catch {
    Issue.record("threw \(error), which is not a MigrationError")
  }
  return nil
}
