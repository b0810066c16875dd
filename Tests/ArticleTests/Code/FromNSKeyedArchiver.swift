import Foundation
import Keepsake

final class Plant: ArchiveObject {
  static let archiveTypeName = "Plant"
  var name = ""
  var plantedOn: Date?
  var colours: Set<String> = []
  var neighbours: [Plant] = []
  var support: Plant?

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encode(plantedOn, forKey: "plantedOn")
    coder.encode(colours, forKey: "colours")
    coder.encodeReferences(neighbours, forKey: "neighbours")
    coder.encodeReference(support, forKey: "support")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(forKey: "name")
    plantedOn = try coder.decodeIfPresent(
      forKey: "plantedOn")
    colours = try coder.decode(forKey: "colours")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    neighbours = try coder.decodeReferences(
      forKey: "neighbours")
    support = try coder.decodeReference(forKey: "support")
  }
}

/// The archive that a file of NSKeyedArchiver becomes.
func importGarden(_ oldBytes: [UInt8]) throws -> Archive {
  var options = ImportOptions()
  options.typeNames = ["Garden.GDNPlant": "Plant"]
  options.reserved = ReservedValues(bundleVersion: "1.0")
  let old = try ImportedArchive(oldBytes, options: options)
  return try Archive(old.document.encoded())
}

/// The steps from the keys of the old class to the new.
func gardenPlan() throws -> MigrationPlan {
  try MigrationPlan(
    programVersion: BundleVersion("2.0"),
    steps: [
      MigrationStep(
        from: try BundleVersion("1.0"),
        to: try BundleVersion("2.0"),
        "the garden moves to Keepsake",
        edits: [
          .renameKey(
            "GDNPlantName", to: "name", ofType: "Plant"),
          // Not in the file if there was no support.
          .setDefault(
            .reference(nil), forKey: "support",
            ofType: "Plant"),
          // In the file also if it is nil.
          .convertKey("support", ofType: "Plant") {
            $0 == .null ? .reference(nil) : $0
          },
          .removeKey("cellHeight", ofType: "Plant"),
        ])
    ])
}

func readGarden(_ archive: Archive) throws -> Plant {
  var registry = TypeRegistry()
  try registry.register(Plant.self)
  return try archive.decodeRoot(
    Plant.self, registry: registry)
}

/// The first release reads the old file and leaves it.
func loadGarden(
  at path: String, oldPath: String, key: SealKey
) throws -> Plant {
  if FileManager.default.fileExists(atPath: path) {
    let bytes = try SealedFile.open(
      path, with: [.key(key)]
    ).read()
    return try readGarden(Archive(bytes))
  }
  let oldBytes = try DurableFile.read(
    at: oldPath, upTo: 1 << 30)
  let imported = try importGarden(oldBytes)
  let migrated = try gardenPlan().migrate(imported)
  let garden = try readGarden(
    migrated.bytes.map { try Archive($0) } ?? imported)
  try saveGarden(garden, at: path, key: key)
  return garden
}

func saveGarden(
  _ garden: Plant, at path: String, key: SealKey
) throws {
  let bytes = try Archive.encode(
    garden, reserved: ReservedValues(bundleVersion: "2.0"))
  try SealedFile.seal(
    bytes.span, to: path, for: [.key(key)])
}

/// The second release removes the old file when the new
/// one has been read.
func loadGardenAndTidyUp(
  at path: String, oldPath: String, key: SealKey
) throws -> Plant {
  let garden = try loadGarden(
    at: path, oldPath: oldPath, key: key)
  if FileManager.default.fileExists(atPath: oldPath) {
    try FileManager.default.removeItem(atPath: oldPath)
  }
  return garden
}

/// Lists the classes and the values of a file, and those
/// of the archives in its data.
func outline(
  of bytes: [UInt8], levels: Int = 4
) throws -> [String] {
  let old = try ImportedArchive(bytes)
  var lines = old.classes.map { old in
    "\(old.name): \(old.keys.joined(separator: ", "))"
  }
  for id in old.document.objectIDs {
    for field in try old.document.object(id).fields {
      lines += outline(of: field.value, levels: levels)
        .map { "\(field.key) > \($0)" }
    }
  }
  return lines
}

private func outline(
  of value: DynamicValue, levels: Int
) -> [String] {
  switch value {
  case .bytes(let bytes)
  where levels > 0
    && ImportedArchive.isKeyedArchive(bytes):
    let lines = try? outline(of: bytes, levels: levels - 1)
    return lines ?? ["a damaged archive"]
  case .string(let text):
    return [text]
  case .array(let values):
    return values.flatMap {
      outline(of: $0, levels: levels)
    }
  case .dictionary(let entries):
    return entries.flatMap { entry in
      outline(of: entry.value, levels: levels)
        .map { "\(entry.key) > \($0)" }
    }
  default:
    return ["\(value)"]
  }
}
