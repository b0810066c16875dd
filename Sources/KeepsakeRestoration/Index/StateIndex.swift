import KeepsakeArchive

/// The last record of a saved state: a row for every object, column by column.
///
/// An object's own record holds what it encoded and nothing else; its place in the tree is here, so that
/// a launch reads the whole tree at once. The layout is stated in Spec/restoration.md, section 1.
struct StateIndex: Sendable {
  static let typeName = "Keepsake.Index"
  static let applicationTypeName = "Keepsake.Application"

  /// What an object is to the parent that its row names.
  enum Role: UInt8, Sendable {
    /// A node that something refers to, or the root of a window.
    case node = 0
    case contained = 1
    case presented = 2
    case view = 3
    /// A registered object.
    case object = 4

    var kind: ReportedObject.Kind {
      switch self {
      case .node, .contained, .presented: .node
      case .view: .view
      case .object: .object
      }
    }
  }

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    /// The object failed to encode its state or lost it for its size; only its place was saved.
    static let stateless = Flags(rawValue: 1)
    /// The record was kept from an earlier archive, since nobody claimed it there.
    static let orphan = Flags(rawValue: 2)
  }

  var application = ArchiveReference(nil)
  /// The record of each row.
  var objects: [ArchiveReference] = []
  var identifiers: [String] = []
  var roles: [UInt8] = []
  /// The row of the nearest saved ancestor plus one; 0 for none.
  var parents: [UInt32] = []
  var ordinals = SparseColumn<UInt32>()
  /// The place of each row among the contained nodes of its parent.
  var ranks = SparseColumn<UInt32>()
  /// The row of each object's restoration class in `classNames` plus one; 0 for none.
  var classes = SparseColumn<UInt32>()
  var classNames: [String] = []
  var flags = SparseColumn<UInt8>()
  /// The row of each window's root plus one; 0 for none.
  var windows: [UInt32] = []
  /// Whether the next launch shows no picture of the interface.
  var ignoresSnapshot = false

  var count: Int { identifiers.count }

  init() {}

  func role(_ row: Int) -> Role? { Role(rawValue: roles[row]) }

  func parent(_ row: Int) -> Int? { parents[row] == 0 ? nil : Int(parents[row]) - 1 }

  func flags(_ row: Int) -> Flags { Flags(rawValue: flags[row]) }

  func hasClass(_ row: Int) -> Bool { classes[row] > 0 && classes[row] <= classNames.count }

  func className(_ row: Int) -> String? {
    hasClass(row) ? classNames[Int(classes[row]) - 1] : nil
  }

  /// The path of a row, by its identifier and those of the rows above it.
  func path(_ row: Int) -> RestorationPath {
    var components: [String] = []
    var next: Int? = row
    while let current = next {
      components.append(identifiers[current])
      next = parent(current)
    }
    let root = RestorationPath(root: components.removeLast())
    return components.reversed().reduce(root) { $0.appending($1) }
  }

  mutating func append(_ identifier: String, as role: Role, in parent: Int?, ordinal: UInt32) {
    if ordinal > 0 { ordinals[count] = ordinal }
    identifiers.append(identifier)
    roles.append(role.rawValue)
    parents.append(parent.map { UInt32($0 + 1) } ?? 0)
  }

  /// Forgets the rows from a number on.
  mutating func truncate(to count: Int) {
    identifiers.removeLast(identifiers.count - count)
    roles.removeLast(roles.count - count)
    parents.removeLast(parents.count - count)
    ordinals.truncate(to: count)
    ranks.truncate(to: count)
    classes.truncate(to: count)
    flags.truncate(to: count)
  }
}

extension StateIndex {
  func encode(with coder: inout ObjectEncoder) {
    coder.encode(application, forKey: "application")
    coder.encode(objects, forKey: "objects")
    coder.encode(identifiers, forKey: "identifiers")
    coder.encode(roles, forKey: "roles")
    coder.encode(parents, forKey: "parents")
    coder.encode(windows, forKey: "windows")
    Self.encode(ordinals, count, forKey: "ordinals", with: &coder)
    Self.encode(ranks, count, forKey: "ranks", with: &coder)
    Self.encode(flags, count, forKey: "flags", with: &coder)
    if !classNames.isEmpty {
      Self.encode(classes, count, forKey: "restorationClasses", with: &coder)
      coder.encode(classNames, forKey: "restorationClassNames")
    }
    if ignoresSnapshot { coder.encode(true, forKey: "ignoresSnapshot") }
  }

  private static func encode<Number: ArchiveValue>(
    _ column: SparseColumn<Number>, _ count: Int, forKey key: ArchiveKey,
    with coder: inout ObjectEncoder
  ) {
    let numbers = column.padded(to: count)
    if !numbers.isEmpty { coder.encode(numbers, forKey: key) }
  }

  /// Reads the index of an archive, whose columns have to be equally long.
  init(of archive: Archive) throws(ArchiveError) {
    let coder = try archive.object(archive.rootID)
    guard coder.typeName == Self.typeName else {
      throw ArchiveError(.damaged, "the root is a \(coder.typeName), and not the index of a state")
    }
    application = try coder.decode(forKey: "application")
    objects = try coder.decode(forKey: "objects")
    identifiers = try coder.decode(forKey: "identifiers")
    roles = try coder.decode(forKey: "roles")
    parents = try coder.decode(forKey: "parents")
    windows = try coder.decode(forKey: "windows")
    ordinals = SparseColumn(try coder.decodeIfPresent(forKey: "ordinals") ?? [])
    ranks = SparseColumn(try coder.decodeIfPresent(forKey: "ranks") ?? [])
    classes = SparseColumn(try coder.decodeIfPresent(forKey: "restorationClasses") ?? [])
    classNames = try coder.decodeIfPresent(forKey: "restorationClassNames") ?? []
    flags = SparseColumn(try coder.decodeIfPresent(forKey: "flags") ?? [])
    ignoresSnapshot = try coder.decodeIfPresent(forKey: "ignoresSnapshot") ?? false
    let optional = [
      ordinals.numbers.count, ranks.numbers.count, classes.numbers.count, flags.numbers.count,
    ]
    guard objects.count == count, roles.count == count, parents.count == count,
      optional.allSatisfy({ $0 == 0 || $0 == count })
    else {
      throw ArchiveError(.damaged, "the columns of the index are not equally long")
    }
  }
}
