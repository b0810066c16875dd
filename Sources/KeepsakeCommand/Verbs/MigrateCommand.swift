import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Migrates an archive to another version.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Changes an archive as a plan says, in place.",
    discussion: """
      The file is replaced as a whole or not at all. The plan is a file of JSON:

        {"version": "12.0", "steps": [{"from": "11.0", "to": "12.0", "summary": "whole names", "edits": [
          {"edit": "renameKey", "type": "Contact", "key": "nm", "to": "name"},
          {"edit": "moveKey", "type": "Contact", "key": "age", "scope": [], "toScope": ["Person"]},
          {"edit": "removeKey", "type": "Contact", "key": "fax"},
          {"edit": "setDefault", "type": "Contact", "key": "tags", "value": []},
          {"edit": "convertKey", "type": "Contact", "key": "zip", "to": "string"},
          {"edit": "renameType", "type": "Contact", "to": "Person"}]}]}

      A conversion makes a string, an integer, a double or a bool. "scope" may be given in every edit of a key. All but
      moveKey take "at" in place of it, the path to nested records: "at": "habits[]" is each of the habits. The value of
      a settings file has the type Codable, and its keys are at "value".

      Examples:
        keepsake migrate archive --plan plan.json --dry-run
        keepsake migrate state.sealed --plan plan.json --key my.key
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Option(help: ArgumentHelp("The plan.", valueName: "file"), completion: .file())
  var plan: String

  @Flag(help: "Change nothing, and print what would be changed.")
  var dryRun = false

  @Flag(help: "Allow the loss of key slots that none of the given keys opens.")
  var dropOthers = false

  @OptionGroup var signing: ResigningOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    let plan = try PlanFile.read(at: self.plan)
    let file = try input.look()
    let report = try Failure.naming(file.name) {
      try Interruption.whileWriting { try migrate(file, by: plan) }
    }
    // The library's own encoding of a report.
    let json = try JSONParser.parse(Array(JSONEncoder().encode(report)), from: "the report")
    try output.print(
      after: dryRun || !report.isRewritten ? "" : "\(file.name) was migrated.",
      report.description.split(separator: "\n").map(String.init), json: json)
  }

  private func migrate(_ file: InputFile, by plan: MigrationPlan) throws -> MigrationReport {
    let listed = dryRun || output.json ? 1_000 : 0
    guard let summary = file.summary else {
      let archive = try file.archive(in: nil)
      let migrated = try plan.migrate(archive, listing: listed)
      if !dryRun, let bytes = migrated.bytes {
        let path = try file.replaceablePath(for: "migrate")
        try DurableFile.change(at: path, to: bytes)
      }
      return migrated.report
    }
    let path = try file.replaceablePath(for: "migrate")
    var keys = try opening.keys(for: summary, at: path)
    let context = input.contextBytes(of: summary)
    let recipients = try file.recipients(opening: path, &keys, context: context)
    let options = FileMigrationOptions(
      context: context, dropsOtherSlots: dropOthers, signingKey: try signing.key,
      dropsSignature: signing.dropSignature, signsUnsigned: signing.signUnsigned,
      objectLimit: listed)
    do {
      return try keys.opening { identities in
        try plan.migrateFile(
          at: path, with: identities, for: recipients, isDryRun: dryRun, options: options)
      }
    } catch let error as KeepsakeError
      where (error.underlyingError as? SealError)?.code == .signingKeyAbsent
    {
      throw Failure.signatureWouldBeLost(of: file.name)
    } catch let error as KeepsakeError
      where (error.underlyingError as? SealError)?.code == .signatureAbsent
    {
      throw Failure.unsignedWouldBeSigned(file.name)
    }
  }
}

extension Failure {
  /// Runs a migration; the failure for a missing version names the file, which need not be a saved state.
  fileprivate static func naming<Result>(
    _ name: String, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch {
      let migration =
        error as? MigrationError ?? (error as? KeepsakeError)?.underlyingError as? MigrationError
      guard migration?.code == .missingVersion else { throw error }
      throw Failure(
        "\(name) does not say which bundle version wrote it, so no step of the plan fits it. Import it again with "
          + "--bundle-version, or open it in its app and save it.", .refusedVersion)
    }
  }
}

/// A migration plan as a file of JSON.
enum PlanFile {
  private static let largest = 1 << 24

  static func read(at path: String) throws -> MigrationPlan {
    try plan(try NamedInput(path).bytes(upTo: largest), from: path)
  }

  static func plan(_ bytes: [UInt8], from source: String) throws -> MigrationPlan {
    let document = try Members(
      try JSONParser.parse(bytes, from: source), of: "the plan", from: source,
      ["version", "steps"])
    let steps = try document.array("steps").map { json in
      let step = try Members(
        json, of: "a step", from: source, ["from", "to", "summary", "edits"])
      return MigrationStep(
        from: try BundleVersion(step.string("from")), to: try BundleVersion(step.string("to")),
        try step.optionalString("summary") ?? "",
        edits: try step.array("edits").map { try edit($0, source) })
    }
    return try MigrationPlan(
      programVersion: try BundleVersion(document.string("version")), steps: steps)
  }

  private static func edit(_ json: JSONValue, _ source: String) throws -> MigrationEdit {
    let name = try Members(json, of: "an edit", from: source, nil).string("edit")
    func members(_ names: [String]) throws -> Members {
      try Members(json, of: "the edit \(name)", from: source, ["edit", "type"] + names)
    }
    switch name {
    case "renameKey":
      let edit = try members(["key", "to", "scope", "at"])
      if let path = try edit.path() {
        return .renameKey(
          try edit.key("key"), to: try edit.key("to"), at: path, ofType: try edit.string("type"))
      }
      return .renameKey(
        try edit.key("key"), to: try edit.key("to"), inScope: try edit.strings("scope"),
        ofType: try edit.string("type"))
    case "moveKey":
      let edit = try members(["key", "scope", "toScope"])
      return .moveKey(
        try edit.key("key"), fromScope: try edit.strings("scope"),
        toScope: try edit.strings("toScope"), ofType: try edit.string("type"))
    case "removeKey":
      let edit = try members(["key", "scope", "at"])
      if let path = try edit.path() {
        return .removeKey(try edit.key("key"), at: path, ofType: try edit.string("type"))
      }
      return .removeKey(
        try edit.key("key"), inScope: try edit.strings("scope"), ofType: try edit.string("type"))
    case "setDefault":
      let edit = try members(["key", "scope", "at", "value"])
      let value = try DynamicValue(edit.value("value"), from: source)
      if let path = try edit.path() {
        return .setDefault(
          value, forKey: try edit.key("key"), at: path, ofType: try edit.string("type"))
      }
      return .setDefault(
        value, forKey: try edit.key("key"),
        inScope: try edit.strings("scope"), ofType: try edit.string("type"))
    case "convertKey":
      let edit = try members(["key", "scope", "at", "to"])
      guard let conversion = Conversion(rawValue: try edit.string("to")) else {
        throw edit.failure("\"to\" must be string, integer, double or bool")
      }
      if let path = try edit.path() {
        return .convertKey(try edit.key("key"), at: path, ofType: try edit.string("type")) {
          try conversion.convert($0)
        }
      }
      return .convertKey(
        try edit.key("key"), inScope: try edit.strings("scope"), ofType: try edit.string("type")
      ) { try conversion.convert($0) }
    case "renameType":
      let edit = try members(["to"])
      return .renameType(try edit.string("type"), to: try edit.string("to"))
    default:
      throw Failure(
        "\(source): \"\(name.shortened)\" is not an edit; there are renameKey, moveKey, removeKey, setDefault, "
          + "convertKey and renameType.", .damaged)
    }
  }
}

/// The members of an object of a plan; an unknown name is refused, so that no slip goes unnoticed.
private struct Members {
  private let json: JSONValue
  private let place: String
  private let source: String

  init(_ json: JSONValue, of place: String, from source: String, _ names: [String]?) throws(Failure)
  {
    (self.json, self.place, self.source) = (json, place, source)
    guard case .object(let members) = json else { throw failure("it is not an object") }
    if let names,
      let other = members.first(where: { member in
        !names.contains { member.name.hasSameBytes(as: $0) }
      })
    {
      throw failure("\"\(other.name.shortened)\" must be one of \(names.joined(separator: ", "))")
    }
  }

  func failure(_ reason: String) -> Failure {
    Failure("\(source) is not a plan: in \(place), \(reason).", .damaged)
  }

  func value(_ name: String) throws(Failure) -> JSONValue {
    guard let value = json[name] else { throw failure("\"\(name)\" is missing") }
    return value
  }

  func string(_ name: String) throws(Failure) -> String {
    guard case .string(let text) = try value(name) else {
      throw failure("\"\(name)\" is not a text")
    }
    return text
  }

  func optionalString(_ name: String) throws(Failure) -> String? {
    json[name] == nil ? nil : try string(name)
  }

  func key(_ name: String) throws(Failure) -> ArchiveKey { ArchiveKey(try string(name)) }

  /// The path to nested records; nil when the edit states none.
  func path() throws(Failure) -> RecordPath? {
    guard let text = try optionalString("at") else { return nil }
    if json["scope"] != nil { throw failure("\"at\" and \"scope\" are both given") }
    let path = RecordPath(text)
    guard path.isValid else { throw failure("\"at\" is not a path such as value.habits[]") }
    return path
  }

  func array(_ name: String) throws(Failure) -> [JSONValue] {
    guard case .array(let values) = try value(name) else {
      throw failure("\"\(name)\" is not an array")
    }
    return values
  }

  func strings(_ name: String) throws(Failure) -> [String] {
    guard json[name] != nil else { return [] }
    var texts: [String] = []
    for value in try array(name) {
      guard case .string(let text) = value else {
        throw failure("\"\(name)\" is not an array of texts")
      }
      texts.append(text)
    }
    return texts
  }
}

/// A conversion of a value to another kind.
private enum Conversion: String {
  case string, integer, double, bool

  private struct Impossible: Error, CustomStringConvertible {
    let description: String
  }

  func convert(_ value: DynamicValue) throws -> DynamicValue {
    if case .null = value { return .null }
    let text = try value.plainText
    switch self {
    case .string: return .string(text)
    case .integer:
      let whole = Self.real(text).flatMap { Int64(exactly: $0) }
      if let number = Int64(text) ?? whole { return .signed(number, bitWidth: 64) }
    case .double:
      if let number = Self.real(text) { return .double(number) }
    case .bool:
      if let bool = ["true": true, "1": true, "false": false, "0": false][text] {
        return .bool(bool)
      }
    }
    throw Impossible(description: "the value \("\(value)".shortened) is no \(rawValue)")
  }

  /// The number that a text spells; infinities and NaN are stored as words.
  private static func real(_ text: String) -> Double? {
    ["inf", "-inf", "nan", "-nan"].contains(text) ? Double(text) : try? Double(decimal: text)
  }
}
