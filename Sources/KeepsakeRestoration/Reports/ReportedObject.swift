import KeepsakeArchive
import Synchronization

/// One object of a save or restore report.
public struct ReportedObject: Hashable, Sendable {
  /// The kind of a reported object.
  public enum Kind: String, Hashable, Sendable {
    /// A screen or container.
    case node
    /// A view of a screen.
    case view
    /// A registered object that is neither a node nor a view.
    case object
  }

  /// The result of the save or the restore for an object.
  public enum Disposition: String, Hashable, Sendable {
    /// The object was written into the archive.
    case saved
    /// The object was written because another one refers to it, although no saved object contains it.
    case rescued
    /// The object exists again and has decoded its state.
    case restored
    /// The object exists again, but failed after it had read a part of its state.
    case partlyRestored = "partly restored"
    /// The object exists again, but in its default state: its type differs, or decoding failed.
    case inDefaultState = "in its default state"
    /// The object was left out.
    case dropped
  }

  /// The origin of a restored object.
  public enum Source: String, Hashable, Sendable {
    /// The restoration class of the object made it.
    case restorationClass = "restoration class"
    /// The application's delegate made or found the object.
    case delegate
    /// The object existed at the same path.
    case existing
    /// The template of the object made it.
    case template
    /// The object belongs to a restored node.
    case owner
    /// The object was registered at the same path.
    case registration
  }

  /// The restoration path.
  public let path: RestorationPath
  /// The stable name of the type.
  public let typeName: String
  /// The kind of the object.
  public let kind: Kind
  /// The result for this object.
  public let disposition: Disposition
  /// The origin of the object; `nil` in a save and for an object that was left out.
  public let source: Source?
  /// The size of its record in the archive, in bytes.
  public let byteCount: Int

  /// The index of the parent in the report's objects, for printing them as a tree.
  var parentIndex: Int?
  /// The place among the contained nodes of the parent; `nil` for an object that is not contained.
  var rank: UInt32?
}

extension ReportedObject: CustomStringConvertible {
  /// The type, the identifier and the result.
  public var description: String {
    let origin = source.map { ", from \($0.rawValue)" } ?? ""
    let name = "\(StableName.shown(typeName).displayed)#\(RestorationPath.shown(path.identifier))"
    return "\(name): \(disposition.rawValue)\(origin)"
  }
}

/// The objects of a report, made at the first access: a save does not wait for its report.
final class ReportedObjects: Sendable {
  private let make: (@Sendable () -> [ReportedObject])?
  private let made = Mutex<[ReportedObject]?>(nil)

  init(_ make: (@Sendable () -> [ReportedObject])?) {
    self.make = make
  }

  static let none = ReportedObjects(nil)

  var objects: [ReportedObject] {
    made.withLock { made in
      if let made { return made }
      let objects = make?() ?? []
      made = objects
      return objects
    }
  }
}

extension ReportedObjects: Hashable {
  static func == (left: ReportedObjects, right: ReportedObjects) -> Bool {
    left === right || left.objects == right.objects
  }

  func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}

extension [ReportedObject] {
  /// The objects as an indented tree, one per line: parents before their children, and the contained nodes of each
  /// parent in their own order.
  var tree: [String] {
    var children: [Int: [Int]] = [:]
    for (index, object) in enumerated() {
      children[object.parentIndex ?? -1, default: []].append(index)
    }
    let below = { (index: Int) -> [Int] in
      // Contained nodes come before presented ones and views; equal ranks stay in their order.
      (children[index] ?? []).sorted {
        (self[$0].rank ?? .max, $0) < (self[$1].rank ?? .max, $1)
      }
    }
    var lines: [String] = []
    var pending = below(-1).reversed().map { (index: $0, depth: 0) }
    while let (index, depth) = pending.popLast() {
      lines.append(String(repeating: "  ", count: depth) + self[index].description)
      pending += below(index).reversed().map { (index: $0, depth: depth + 1) }
    }
    return lines
  }
}
