import KeepsakeArchive

/// One object of a save or restore report.
public struct ReportedObject: Hashable, Sendable {
  /// What the object is.
  public enum Kind: String, Hashable, Sendable {
    /// A screen or container.
    case node
    /// A view of a screen.
    case view
    /// A registered object that is neither.
    case object
  }

  /// What became of the object.
  public enum Disposition: String, Hashable, Sendable {
    /// It was written into the archive.
    case saved
    /// It was written because something refers to it, though nothing that was saved contains it.
    case rescued
    /// It exists again and has decoded its state.
    case restored
    /// It exists again, and failed after it had read a part of its state.
    case partlyRestored = "partly restored"
    /// It exists again, but in its default state: its type differs, or decoding failed.
    case inDefaultState = "in its default state"
    /// It was left out.
    case dropped
  }

  /// Where a restored object came from.
  public enum Source: String, Hashable, Sendable {
    /// Its restoration class made it.
    case restorationClass = "restoration class"
    /// The application's delegate made or found it.
    case delegate
    /// It existed at the same path.
    case existing
    /// Its template made it.
    case template
    /// It belongs to a restored node.
    case owner
    /// It was registered at the same path.
    case registration
  }

  /// The restoration path.
  public let path: RestorationPath
  /// The stable name of the type.
  public let typeName: String
  /// What the object is.
  public let kind: Kind
  /// What became of it.
  public let disposition: Disposition
  /// Where it came from; `nil` in a save and for what was left out.
  public let source: Source?
  /// The size of its record in the archive, in bytes.
  public let byteCount: Int

  /// The index of the parent in the report's objects, for printing them as a tree.
  var parentIndex: Int?
  /// The place among the contained nodes of the parent; `nil` for what is none.
  var rank: UInt32?
}

extension ReportedObject: CustomStringConvertible {
  /// Type, identifier and what became of the object.
  public var description: String {
    let origin = source.map { ", from \($0.rawValue)" } ?? ""
    let name = "\(StableName.shown(typeName).displayed)#\(RestorationPath.shown(path.identifier))"
    return "\(name): \(disposition.rawValue)\(origin)"
  }
}
