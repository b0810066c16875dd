/// The arrows between the folders of a module.
///
/// A folder points at another one when one of its files names a type that a file of the other declares at its top level.
struct FolderArrows {
  /// A type that a file of one folder names, and a file of another one declares.
  struct Arrow: Hashable {
    var folder: String
    var file: String
    var type: String
    var declaringFolder: String
  }

  /// The modules whose folders are layers.
  static let layeredModules = [
    "Keepsake", "KeepsakeArchive", "KeepsakeCodable", "KeepsakeCommand", "KeepsakeDocuments",
    "KeepsakeFiles", "KeepsakeImport", "KeepsakeJournal", "KeepsakeMigration",
    "KeepsakeRestoration", "KeepsakeSeal",
  ]

  /// Protocols that apps conform to; names of these are not counted as arrows.
  ///
  /// They name the coders, and the coders call them, as `Encodable` and `Encoder` name each other
  /// (Spec/Decisions/interface.md).
  static let protocolsOfApps: Set = ["ArchiveObject", "ArchiveRecord", "ArchiveValue"]

  private(set) var arrows: Set<Arrow> = []

  /// Finds the arrows between files, whose paths are those within the module.
  init(_ files: [(path: String, source: String)]) throws {
    let declaration = try Regex(
      #"^(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|final|indirect|nonisolated|unsafe)\s+)*"#
        + #"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)"#,
      as: (Substring, Substring).self)
    let codes = files.map { (path: $0.path, code: SwiftCode($0.source)) }
    var folders: [Substring: Set<String>] = [:]
    for (path, code) in codes {
      for line in code.lines {
        guard let match = line.prefixMatch(of: declaration) else { continue }
        folders[match.output.1, default: []].insert(Self.folder(of: path))
      }
    }
    for (path, code) in codes {
      let folder = Self.folder(of: path)
      let words = Set(
        code.lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } })
      for word in words where !Self.protocolsOfApps.contains(String(word)) {
        for declaring in folders[word] ?? [] where declaring != folder {
          arrows.insert(
            Arrow(folder: folder, file: path, type: String(word), declaringFolder: declaring))
        }
      }
    }
  }

  /// The arrows of one module of this repository.
  static func ofModule(_ module: String) throws -> FolderArrows {
    try FolderArrows(sources(of: module))
  }

  /// The files of one module of this repository, by their paths in the module.
  static func sources(of module: String) throws -> [(path: String, source: String)] {
    let start = "Sources/\(module)/"
    return try PackageRoot.swiftFiles(below: "Sources/\(module)").map {
      (String($0.dropFirst(start.count)), try PackageRoot.text(of: $0))
    }
  }

  /// The files of a module that declare a type or extend it.
  ///
  /// `Bytes/Lending` is left out: it makes the decoders that are lent, with unsafe code.
  static func files(
    of type: String, in files: [(path: String, source: String)]
  ) throws -> [String] {
    let declaration = try Regex(
      #"^(?:(?:@\w+(?:\([^)]*\))?|public|package|final|indirect)\s+)*(?:struct|class|enum|extension)\s+(\w+)"#,
      as: (Substring, Substring).self)
    return files.filter { path, source in
      !path.hasPrefix("Bytes/Lending/")
        && SwiftCode(source).lines.contains { line in
          if let match = line.prefixMatch(of: declaration) { match.output.1 == type } else { false }
        }
    }.map(\.path)
  }

  /// The modules of this repository.
  static func modules() throws -> [String] {
    let files = try PackageRoot.swiftFiles(below: "Sources").map { $0.split(separator: "/")[1] }
    return Set(files).map(String.init).sorted()
  }

  /// The public types of a module whose public members are in several folders, with these folders.
  static func spread(
    in files: [(path: String, source: String)]
  ) throws -> [String: Set<String>] {
    let declaration = try Regex(
      #"^( *)(?:(?:@\w+(?:\([^)]*\))?|package|final|indirect|nonisolated)\s+)*(public\s+)?"#
        + #"(?:(?:final|indirect|nonisolated)\s+)*(?:struct|class|enum|actor|protocol|(extension))\s+(\w+)"#,
      as: (Substring, Substring, Substring?, Substring?, Substring).self)
    let member = try Regex(#"^ +(?:@\w+(?:\([^)]*\))?\s+)*public\s"#, as: Substring.self)
    var declaring: [String: String] = [:]
    var extending: [String: Set<String>] = [:]
    for (path, source) in files {
      // The extension around a line, and its indentation.
      var around: (type: String, indent: Int)?
      for line in SwiftCode(source).lines {
        if let (type, indent) = around, line.prefix(while: { $0 == " " }).count > indent {
          if line.prefixMatch(of: member) != nil {
            extending[type, default: []].insert(folder(of: path))
          }
          continue
        }
        around = nil
        guard let match = line.prefixMatch(of: declaration)?.output else { continue }
        let type = String(match.4)
        if match.3 == nil {
          if match.2 != nil, match.1.isEmpty { declaring[type] = folder(of: path) }
        } else {
          around = (type, match.1.count)
          if match.2 != nil { extending[type, default: []].insert(folder(of: path)) }
        }
      }
    }
    return declaring.reduce(into: [:]) { spread, entry in
      let folders = (extending[entry.key] ?? []).union([entry.value])
      if folders.count > 1 { spread[entry.key] = folders }
    }
  }

  /// The arrows that are part of a way from a folder back to itself, one sentence each.
  var circles: [String] {
    var next: [String: Set<String>] = [:]
    for arrow in arrows { next[arrow.folder, default: []].insert(arrow.declaringFolder) }
    var reached: [String: Set<String>] = [:]
    for start in next.keys {
      var waiting = [start]
      while let folder = waiting.popLast() {
        for other in next[folder] ?? [] where reached[start, default: []].insert(other).inserted {
          waiting.append(other)
        }
      }
    }
    return arrows.filter { reached[$0.declaringFolder]?.contains($0.folder) == true }.map {
      "\($0.file) names \($0.type), of \($0.declaringFolder), which leads back to \($0.folder)."
    }.sorted()
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "the module's own folder"
  }
}
