import Keepsake

struct Theme: Codable, Equatable, Sendable {
  var name = "Plain"
  var accentColor = "blue"
  var margins = 20
}

func makeThemeStore(
  at path: String, key: SealKey
) -> SealedValueStore<Theme> {
  SealedValueStore(
    path: path, key: .key(key), default: Theme(),
    migrations: [
      // From version 1 to version 2: a key was renamed.
      ValueMigration { theme in
        try theme.renameKey("colour", to: "accentColor")
      },
      // From version 2 to version 3: points became pixels.
      ValueMigration { theme in
        theme.convertValue(forKey: "margins") { value in
          guard case .signed(let points, let width) = value
          else {
            return value
          }
          return .signed(points * 2, bitWidth: width)
        }
      },
    ])
}

struct OldTheme: Codable, Sendable {
  var name = "Plain"
  var colour = "red"
  var margins = 10
}

struct BookV1: Codable, Sendable {
  struct Habit: Codable, Sendable {
    var title = "Read"
    var goal = 3
  }

  var habits = [Habit()]
}

struct Book: Codable, Equatable, Sendable {
  struct Habit: Codable, Equatable, Sendable {
    var name = "Read"
    var goal = 3.0
    var color = "blue"
  }

  var habits = [Habit()]
  var owner = "me"
}

let byKeys = ValueMigration("habits have names") { book in
  try book.renameKey("title", to: "name", at: "habits[]")
  try book.convertValue(
    forKey: "goal", at: "habits[]", from: Int.self
  ) { Double($0) }
  try book.setDefault(
    "blue", forKey: "color", at: "habits[]")
}

let byType = ValueMigration(from: BookV1.self) { old in
  Book(
    habits: old.habits.map {
      Book.Habit(name: $0.title, goal: Double($0.goal))
    })
}

final class Contact: ArchiveObject {
  static let archiveTypeName = "Contact"
  static let archiveSchemaVersion: UInt32 = 1
  var givenName: String
  var email: String

  init(givenName: String, email: String) {
    (self.givenName, self.email) = (givenName, email)
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(givenName, forKey: "givenName")
    coder.encode(email, forKey: "email")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    givenName = try coder.decode(forKey: "givenName")
    email = try coder.decodeIfPresent(forKey: "email") ?? ""
  }
}

func contactsPlan() throws -> MigrationPlan {
  try MigrationPlan(
    programVersion: BundleVersion("2.0"),
    steps: [
      MigrationStep(
        from: try BundleVersion("1.0"),
        to: try BundleVersion("2.0"),
        "names have two parts",
        edits: [
          .renameKey(
            "nm", to: "givenName", ofType: "Contact")
        ])
    ],
    schemaSteps: [
      SchemaMigrationStep(
        ofType: "Contact", from: 0, to: 1,
        "everybody has an address"
      ) {
        contact in
        contact.setDefault(
          .string("unknown@example.com"), forKey: "email")
      }
    ])
}

func openContacts(_ bytes: [UInt8]) throws -> Contact {
  let old = try Archive(bytes)
  let migrated = try contactsPlan().migrate(old)
  var registry = TypeRegistry()
  try registry.register(Contact.self)
  return try Archive(migrated.bytes ?? bytes).decodeRoot(
    Contact.self, registry: registry)
}

func migrateContacts(
  at path: String, key: SealKey
) throws -> MigrationReport {
  let plan = try contactsPlan()
  print(
    try plan.migrateFile(
      at: path, keys: [key], isDryRun: true))
  return try plan.migrateFile(at: path, keys: [key])
}
