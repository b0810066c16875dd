import KeepsakeArchive

/// What the engine itself stores of an object, in a scope of its own beside the object's keys.
///
/// The layout is stated in Spec/restoration.md, section 1.
struct RecordFields {
  enum Kind: UInt8 {
    case application = 0
    case node = 1
    case view = 2
    case object = 3
    /// The last record: what holds for the whole save, and is known only at its end.
    case summary = 4
  }

  static let scope = "Keepsake.Restoration"
  static let applicationTypeName = "Keepsake.Application"
  static let summaryTypeName = "Keepsake.Summary"

  var kind: Kind
  var identifier = ""
  var ordinal: UInt32 = 0
  var parent: ArchiveObjectID?
  var restorationClass: String?
  /// The roots of the windows for the application, the contained nodes for a node.
  var children: [ArchiveObjectID?] = []
  var presented: ArchiveObjectID?
  var views: [ArchiveObjectID] = []
  /// Whether the object threw while it wrote its own state, so that only its place was saved.
  var isStateless = false
  /// Whether the record was kept from an earlier archive, since nobody claimed it there.
  var isOrphan = false
  /// Whether the next launch shows no picture of the interface; only in the summary.
  var ignoresSnapshot = false

  /// Whether the record stands for an object of the app.
  var isObject: Bool { kind != .application && kind != .summary }

  func encode(with coder: inout ObjectEncoder) {
    coder.encode(kind.rawValue, forKey: "kind")
    if isObject {
      coder.encode(identifier, forKey: "identifier")
      coder.encode(ordinal, forKey: "ordinal")
      coder.encode(ArchiveReference(parent), forKey: "parent")
    }
    if let restorationClass { coder.encode(restorationClass, forKey: "restorationClass") }
    if !children.isEmpty { coder.encode(children.map(ArchiveReference.init), forKey: "children") }
    if let presented { coder.encode(ArchiveReference(presented), forKey: "presented") }
    if !views.isEmpty { coder.encode(views.map(ArchiveReference.init), forKey: "views") }
    if isStateless { coder.encode(true, forKey: "stateless") }
    if isOrphan { coder.encode(true, forKey: "orphan") }
    if ignoresSnapshot { coder.encode(true, forKey: "ignoresSnapshot") }
  }

  init(kind: Kind) {
    self.kind = kind
  }

  init(from decoder: borrowing ObjectDecoder) throws(ArchiveError) {
    let coder = decoder.scope(Self.scope)
    guard let kind = Kind(rawValue: try coder.decode(UInt8.self, forKey: "kind")) else {
      self.init(kind: .application)
      return
    }
    self.init(kind: kind)
    if isObject {
      identifier = try coder.decode(String.self, forKey: "identifier")
      ordinal = try coder.decode(UInt32.self, forKey: "ordinal")
      parent = try coder.decode(ArchiveReference.self, forKey: "parent").objectID
    }
    restorationClass = try coder.decodeIfPresent(String.self, forKey: "restorationClass")
    children = (try coder.decodeIfPresent([ArchiveReference].self, forKey: "children") ?? [])
      .map(\.objectID)
    presented = try coder.decodeIfPresent(ArchiveReference.self, forKey: "presented")?.objectID
    views = (try coder.decodeIfPresent([ArchiveReference].self, forKey: "views") ?? [])
      .compactMap(\.objectID)
    isStateless = try coder.decodeIfPresent(Bool.self, forKey: "stateless") ?? false
    isOrphan = try coder.decodeIfPresent(Bool.self, forKey: "orphan") ?? false
    ignoresSnapshot = try coder.decodeIfPresent(Bool.self, forKey: "ignoresSnapshot") ?? false
  }
}
