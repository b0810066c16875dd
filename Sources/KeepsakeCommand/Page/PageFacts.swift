import CommandSupport
import Keepsake

/// The facts of a file that its page shows in addition to the archive.
struct PageFacts {
  private let name: String
  private let sealed: JSONValue?
  private let opened: JSONValue?
  private let archive: Archive?
  private let verdict: String?

  /// The maximum size of an archive in bytes: a browser has a page in its memory several times.
  private static let largestArchive = 1 << 26

  /// Checks every byte of the archive, which the page then reads without further checks.
  init(_ file: InputFile, _ opened: SealedFile?, _ archive: Archive?) throws {
    if let archive, archive.byteCount > Self.largestArchive {
      throw Failure(
        "The archive has \(archive.byteCount) bytes, and a page holds at most \(Self.largestArchive). Use "
          + "\"keepsake browse\", which reads only what it shows.", .damaged)
    }
    name = file.name
    sealed = file.summary?.json
    self.opened = opened?.json
    self.archive = archive
    verdict = try archive?.verdict().words
  }

  func json(withSizes: Bool) throws -> JSONValue {
    let sizes = withSizes ? try archive?.sizes() : nil
    return [
      "file": .string(name), "sealed": sealed, "opened": opened, "archive": archive?.json,
      "verdict": verdict.map { .string($0) },
      "sizes": sizes.map { SizeTable($0).json },
      "state": try archive.flatMap(Self.state(of:)),
    ]
  }

  /// The tree of a saved state: a row is the number of a record, the place of its parent's row or -1, the role and the
  /// identifier.
  private static func state(of archive: Archive) throws -> JSONValue? {
    guard let outline = SavedStateOutline(archive) else { return nil }
    let count = try ValueFinder(archive).place(at: ValuePath("identifiers")).count() ?? 0
    let rows = outline.entries.map { entry -> JSONValue in
      .array([
        .number(entry.objectID.rawValue), .number(entry.parentIndex ?? -1),
        .number(role(of: entry)), .string(entry.path.identifier),
      ])
    }
    return [
      "application": outline.applicationID.map { .number($0.rawValue) },
      "leftOut": .number(count - outline.entries.count), "rows": .array(rows),
    ]
  }

  /// The place of a role in the list of the page's script.
  private static func role(of entry: SavedStateOutline.Entry) -> Int {
    switch entry.kind {
    case .node: entry.isPresented ? 1 : 0
    case .view: 2
    case .object: 3
    }
  }
}
