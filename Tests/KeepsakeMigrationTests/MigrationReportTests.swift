import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

@Suite struct `The report of a migration` {
  private func makePlan() throws -> MigrationPlan {
    try MigrationPlan(
      programVersion: try version("12"),
      steps: [
        .init(
          from: try version("10"), to: try version("11"), "whole names",
          edits: [
            .renameKey("nm", to: "name", ofType: "Contact"),
            .convertKey("age", ofType: "Contact") { value in
              value == .string("31") ? .signed(31, bitWidth: 64) : value
            },
          ]),
        .init(
          from: try version("11"), to: try version("12"),
          edits: [
            .splitKeys(["name"], intoObjectOfType: "Name", under: "name", ofType: "Contact"),
            .editDocument("drop the settings") { document in
              let settings = try document.objectIDs(ofType: "Settings")
              try document.remove(settings[0], replacingReferencesWith: nil)
            },
          ]),
      ],
      schemaSteps: [.init(ofType: "Name", from: 0, to: 1) { $0["kind"] = .bool(true) }])
  }

  private var text: String {
    """
    Version 10.0 to version 12, 5 objects:
      10 -> 11: whole names (3 changed)
        #2 Contact
          + name: "Person 0"
          - nm: "Person 0"
        #3 Contact
          ~ age: "31" -> 31
          + name: "Person 1"
          - nm: "Person 1"
        … and 1 more
      11 -> 12 (3 changed, 3 inserted, 1 removed)
        #2 Contact
          ~ name: "Person 0" -> object #6
        #3 Contact
          ~ name: "Person 1" -> object #7
        … and 5 more
      schema of Name, 0 -> 1 (3 changed)
        Name
          ~ <schema version>: 0 -> 1
          + kind: true
        Name
          ~ <schema version>: 0 -> 1
          + kind: true
        … and 1 more
    """
  }

  @Test func `A report lists each change, object by object`() throws {
    let report = try makePlan().dryRun(Contacts().archive(), listing: 2)
    #expect(report.description == text)
  }

  @Test func `The report of a dry run equals that of the migration`() throws {
    let plan = try makePlan()
    let archive = try Contacts().archive()
    let migrated = try plan.migrate(archive, listing: 1_000)
    #expect(try plan.dryRun(archive) == migrated.report)
    #expect(try plan.migrate(archive).report.steps.allSatisfy(\.objects.isEmpty))
    #expect(try plan.migrate(archive).bytes == migrated.bytes)
    let kinds = migrated.report.steps[1].objects.map(\.kind)
    #expect(kinds == [.changed, .changed, .changed, .inserted, .inserted, .inserted, .removed])
    #expect(migrated.report.steps[1].objects.last?.objectID == ArchiveObjectID(5))
    #expect(migrated.report.steps.allSatisfy { $0.unlistedCount == 0 })
  }

  @Test func `A report is written as JSON`() throws {
    let report = try makePlan().dryRun(Contacts().archive(), listing: 1)
    let json = try JSONEncoder().encode(report)
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["from"] as? String == "10.0" && object["to"] as? String == "12")
    #expect(object["objectCount"] as? Int == 5 && object["isRewritten"] as? Bool == true)
    let steps = try #require(object["steps"] as? [[String: Any]])
    #expect(steps.map { $0["changed"] as? Int } == [3, 3, 3])
    #expect(
      steps[0]["edits"] as? [String] == [
        "rename key nm to name in Contact", "convert key age of Contact",
      ])
    let first = try #require((steps[0]["objects"] as? [[String: Any]])?.first)
    #expect(first["object"] as? Int == 2 && first["kind"] as? String == "changed")
    #expect(first["differences"] as? [String] == [#"+ name: "Person 0""#, #"- nm: "Person 0""#])
  }

  @Test func `A report says when there is nothing to do, and cuts long values short`() throws {
    var contacts = Contacts()
    contacts.version = "12.0"
    contacts.count = 1
    let idle = try makePlan().dryRun(contacts.archive())
    #expect(idle.description == "Version 12.0, 3 objects: nothing to migrate for version 12.")
    contacts.version = "10.0"
    let long = try plan(
      .setDefault(.string(String(repeating: "x", count: 5_000)), forKey: "long", ofType: "Settings")
    ).dryRun(contacts.archive())
    let line = try #require(long.steps[0].objects.first?.differences.first)
    #expect(line.count == 162 && line.hasSuffix("x …"))
  }

  @Test(arguments: [193, 194])
  func `A report shows a line of 200 bytes as it is, and cuts a longer one short`(count: Int) throws
  {
    let text = String(repeating: "x", count: count)
    let report = try plan(.setDefault(.string(text), forKey: "k", ofType: "Settings"))
      .dryRun(Contacts().archive())
    let line = "+ k: \"\(text)\""
    let shown = line.utf8.count == 200 ? line : String(line.prefix(160)) + " …"
    #expect(report.steps[0].objects.first?.differences == [shown])
  }

  // The numbers are looked up after objects have moved; 1 is the lowest number.
  @Test func `A report names the first object by its number after others were inserted`() throws {
    let report = try plan(
      .splitKeys(["nm"], intoObjectOfType: "Name", under: "name", ofType: "Contact"),
      .setDefault(.bool(true), forKey: "isNew", ofType: "List")
    ).dryRun(Contacts().archive())
    let last = report.steps[0].objects.last
    #expect(last?.typeName == "List" && last?.objectID == ArchiveObjectID(1))
  }

  @Test func `A report names the edits that matched nothing`() throws {
    let misspelt: [MigrationEdit] = [
      .renameKey("nmae", to: "name", ofType: "Contact"),
      .renameKey("nm", to: "name", ofType: "Kontact"),
      .moveKey("nmae", fromScope: [], toScope: ["a"], ofType: "Contact"),
      .removeKey("nmae", ofType: "Contact"),
      .convertKey("nmae", ofType: "Contact") { $0 },
      .setDefault(.bool(true), forKey: "isNew", ofType: "Kontact"),
      .renameType("Kontact", to: "Person"),
      .wrapKeys(["nmae"], inRecord: "names", ofType: "Contact"),
      .unwrapRecord("nmae", ofType: "Contact"),
      .editRecords(ofType: "Kontact", "nothing") { _ in },
      .splitKeys(["nmae"], intoObjectOfType: "Name", under: "parts", ofType: "Contact"),
      .mergeObject(under: "nmae", ofType: "Contact"),
    ]
    let right: [MigrationEdit] = [
      .renameKey("nm", to: "name", ofType: "Contact"),
      .convertKey("name", ofType: "Contact") { $0 },
      .setDefault(.bool(true), forKey: "name", ofType: "Contact"),
      .renameType("Contact", to: "Contact"),
      .editRecords(ofType: "Contact", "nothing") { _ in },
      .editObjects("nothing") { _ in },
      .editDocument("nothing") { _ in },
    ]
    func plan(_ edits: [MigrationEdit]) throws -> MigrationPlan {
      try MigrationPlan(
        programVersion: try BundleVersion("11"),
        steps: [.init(from: try BundleVersion("10"), to: try BundleVersion("11"), edits: edits)])
    }
    let archive = try Contacts().archive()
    for edit in misspelt {
      var plan = try plan([edit])
      let report = try plan.dryRun(archive)
      #expect(report.steps[0].unmatchedEdits == [edit.description], "\(report)")
      #expect(report.description.contains("! found nothing to do: \(edit)"))
      plan.requiresMatches = true
      let error = #expect(throws: MigrationError.self) { try plan.migrate(archive) }
      #expect(error?.code == .stepFailed && error?.edit == edit.description)
    }
    var all = try plan(right)
    all.requiresMatches = true
    #expect(try all.dryRun(archive).steps[0].unmatchedEdits == [])
    let mixed = try plan([right[0], misspelt[0], right[1], misspelt[11]]).dryRun(archive)
    #expect(
      mixed.steps[0].unmatchedEdits == [misspelt[0].description, misspelt[11].description])
  }
}
