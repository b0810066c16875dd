import KeepsakeArchive
import Synchronization

/// The saved properties of objects: found when an object is first seen, and kept.
///
/// Reflection of one object costs about as much as saving two hundred values, so each object is reflected once. An
/// object that a restore makes is not reflected at all, unless it is the first of its class: its properties are those
/// that were made while its factory ran.
@MainActor
final class SavedProperties {
  /// The saved properties that one class of a hierarchy declares.
  struct Level {
    /// The stable name of the class; its properties are in a scope of that name, unless it is the class of the
    /// object.
    let typeName: String
    /// The number of subclasses between the class and the object: 0 for the object's own class.
    let depth: Int
    let keys: [ArchiveKey]
    /// The indices of the saved properties among all properties of the class, as ranges.
    let places: [Range<Int>]
  }

  /// The saved properties of a type, by class, superclasses first.
  final class Layout {
    let levels: [Level]
    let count: Int
    /// The names of each class of the hierarchy, the class of the object first: its own name, then its aliases.
    let classNames: [[String]]
    /// The order in which an object of the type makes its properties; nil until a restore has made the first one.
    var creation: CreationOrder?
    /// True when objects of the type make their own mirror, which decides which of their properties are saved.
    let hasOwnMirror: Bool

    init(levels: [Level], classNames: [[String]], hasOwnMirror: Bool) {
      self.levels = levels
      count = levels.reduce(0) { $0 + $1.keys.count }
      self.classNames = classNames
      self.hasOwnMirror = hasOwnMirror
    }

    /// The depth of the class whose properties are at the top level of a record: the class with the record's name, or
    /// the object's own class when no class of the hierarchy has that name.
    func topDepth(ofRecordNamed name: String) -> Int {
      classNames.firstIndex { $0.contains { $0.hasSameBytes(as: name) } } ?? 0
    }

    /// Whether a scope belongs to a class of the hierarchy.
    func isOfClass(scopeNamed name: String) -> Bool {
      classNames.contains { $0.contains { $0.hasSameBytes(as: name) } }
    }
  }

  /// An object and its properties; a class, because a dictionary of weak references is slow to copy.
  private final class Entry {
    weak var object: AnyObject?
    let properties: [SavedProperty]

    init(object: AnyObject, properties: [SavedProperty]) {
      self.object = object
      self.properties = properties
    }
  }

  /// The scope of the application's record with the saved properties of its delegate.
  static let delegateScope = "Keepsake.Delegate"

  let changes = StateChanges()
  /// The source of the former names of classes.
  private let registry: RestorationRegistry
  private var layouts: [ObjectIdentifier: Layout] = [:]
  /// The properties of each object that has any, for all states: properties without an entry belong to no object that
  /// any state has seen.
  private static var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries that were left when entries of released objects were last removed.
  private static var countAfterCleanup = 0
  /// True when a property was set before its object was first seen.
  var hasNewChanges = false
  /// The types, by full name, for which the mirror of the type or of a superclass shows no property.
  ///
  /// The value is true when the type makes its own mirror (`CustomReflectable`).
  private var typesWithoutProperties: [String: Bool] = [:]
  /// The modules in which reflection has shown properties: they were built with reflection metadata.
  private static var reflectedModules: Set<String> = []

  /// The number of states that the process has open.
  private nonisolated static let openCount = Atomic(0)
  /// The declarations whose properties belonged to no object at the last save.
  private var unsavedDeclarations: Set<String> = []

  init(registry: RestorationRegistry) {
    self.registry = registry
    Self.removeReleased()
    Self.openCount.add(1, ordering: .relaxed)
  }

  deinit { Self.openCount.add(-1, ordering: .relaxed) }

  /// The places of declarations whose properties were set but belong to no object of a save.
  ///
  /// While other states are open, a property may belong to an object that another state has not saved yet. The result
  /// then has only declarations that belonged to no object at the last save either.
  func declarationsWithoutObject() -> [String] {
    let unsaved = SavedProperty.unsavedDeclarations
    let isOnlyState = Self.openCount.load(ordering: .relaxed) == 1
    defer { unsavedDeclarations = Set(unsaved) }
    return isOnlyState ? unsaved : unsaved.filter(unsavedDeclarations.contains)
  }

  /// The saved properties that the type of an object declares; nil when it declares none.
  func layout(of object: AnyObject) -> Layout? {
    guard SavedProperty.areUsed else { return nil }
    let type = ObjectIdentifier(type(of: object))
    if let layout = layouts[type] { return layout.count > 0 ? layout : nil }
    let layout = makeLayout(of: object)
    layouts[type] = layout
    return layout.count > 0 ? layout : nil
  }

  private func makeLayout(of object: AnyObject) -> Layout {
    var levels: [Level] = []
    var classNames: [[String]] = []
    var next: Mirror? = Mirror(reflecting: object)
    var depth = 0
    while let mirror = next {
      var (keys, places): ([ArchiveKey], [Range<Int>]) = ([], [])
      for (place, child) in mirror.children.enumerated() {
        guard let property = child.value as? SavedProperty else { continue }
        // The storage of a wrapped property is named by an underscore and the property's name.
        keys.append(ArchiveKey(property.explicitKey ?? String(child.label?.dropFirst() ?? "")))
        if let run = places.last, run.upperBound == place {
          places[places.count - 1] = run.lowerBound..<place + 1
        } else {
          places.append(place..<place + 1)
        }
      }
      if mirror.children.isEmpty {
        let name = StableName.qualified(type(of: object))
        typesWithoutProperties[name] = object is any CustomReflectable
      } else if !(object is any CustomReflectable) {
        Self.reflectedModules.insert(
          StableName.module(ofTypeNamed: StableName.qualified(mirror.subjectType)))
      }
      let name = Self.name(of: mirror)
      classNames.append([name] + registry.names(of: mirror.subjectType))
      if !keys.isEmpty {
        levels.insert(Level(typeName: name, depth: depth, keys: keys, places: places), at: 0)
      }
      next = mirror.superclassMirror
      depth += 1
    }
    return Layout(
      levels: levels, classNames: classNames, hasOwnMirror: object is any CustomReflectable)
  }

  /// The types of some modules whose saved properties reflection may have missed: types of modules that show no
  /// property at all, and types with mirrors of their own.
  func suspects(in modules: @autoclosure () -> Set<String>) -> [String] {
    if typesWithoutProperties.isEmpty { return [] }
    let modules = modules()
    let suspects = typesWithoutProperties.filter { name, hasOwnMirror in
      let module = StableName.module(ofTypeNamed: name)
      return modules.contains(module)
        && (hasOwnMirror || !Self.reflectedModules.contains(module))
    }
    return suspects.keys.sorted { $0.bytesPrecede($1) }
  }

  private static func name(of mirror: Mirror) -> String {
    (mirror.subjectType as? any RestorableObject.Type)?.restorationTypeName
      ?? StableName.qualified(mirror.subjectType)
  }

  /// The properties of an object, in the order of its layout; they join this state.
  func properties(of object: AnyObject, _ layout: Layout) -> [SavedProperty] {
    let properties = found(in: object, layout)
    if properties.first?.hasJoined(changes) == false {
      for property in properties { if property.join(changes) { hasNewChanges = true } }
    }
    return properties
  }

  private func found(in object: AnyObject, _ layout: Layout) -> [SavedProperty] {
    if let known = known(object) { return known }
    let found = find(in: object, layout)
    keep(found, of: object)
    return found
  }

  private func known(_ object: AnyObject) -> [SavedProperty]? {
    guard let entry = Self.entries[ObjectIdentifier(object)], entry.object === object else {
      return nil
    }
    return entry.properties
  }

  private func keep(_ properties: [SavedProperty], of object: AnyObject) {
    for property in properties { property.markAsFound() }
    if Self.entries.count >= 2 * Self.countAfterCleanup + 16 { Self.removeReleased() }
    Self.entries[ObjectIdentifier(object)] = Entry(object: object, properties: properties)
  }

  /// Finds the properties of an object that a factory has just returned, among those that the factory made.
  ///
  /// The first object of a class is reflected, which shows the order in which the others make theirs.
  func findCreatedProperties(of object: AnyObject) {
    CreatedProperties.withAll { created in
      guard !created.isEmpty, let layout = layout(of: object), !layout.hasOwnMirror,
        known(object) == nil
      else { return }
      if let own = layout.creation?.own(in: created) {
        keep(own, of: object)
      } else {
        layout.creation = CreationOrder(of: found(in: object, layout), in: created)
      }
    }
  }

  /// Removes the entries of released objects.
  private static func removeReleased() {
    entries = entries.filter { $0.value.object != nil }
    countAfterCleanup = entries.count
  }

  /// Finds the saved properties of an object; reads properties only of classes that declare saved ones.
  private func find(in object: AnyObject, _ layout: Layout) -> [SavedProperty] {
    var mirror = Mirror(reflecting: object)
    if layout.levels.count == 1, let own = layout.levels.first, own.depth == 0 {
      return Self.properties(in: mirror.children, at: own.places)
    }
    var found: [[SavedProperty]] = []
    var depth = 0
    for level in layout.levels.reversed() {
      while depth < level.depth, let superclass = mirror.superclassMirror {
        mirror = superclass
        depth += 1
      }
      found.append(
        depth == level.depth ? Self.properties(in: mirror.children, at: level.places) : [])
    }
    return found.reversed().flatMap(\.self)
  }

  /// The saved properties at some indices among all properties of a class.
  ///
  /// Reading a property that is not saved costs as much as saving ten values. Moving an index through the children of
  /// a mirror costs a good part of that, so one iterator reads each range.
  private static func properties(
    in children: Mirror.Children, at places: [Range<Int>]
  ) -> [SavedProperty] {
    var found: [SavedProperty] = []
    found.reserveCapacity(places.reduce(0) { $0 + $1.count })
    for run in places {
      let members = children.dropFirst(run.lowerBound).makeIterator()
      for _ in run {
        guard let property = members.next()?.value as? SavedProperty else {
          // An object that makes its own mirror may show other properties than an earlier object of its type.
          return children.compactMap { $0.value as? SavedProperty }
        }
        found.append(property)
      }
    }
    return found
  }
}
