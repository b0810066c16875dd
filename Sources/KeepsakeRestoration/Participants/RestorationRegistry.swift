import KeepsakeArchive

/// The restoration classes, types and templates of a program, by their stable names.
///
/// An archive never names a Swift type: it holds stable names, and this registry is the only way
/// from a name to code. Fill it once, before ``RestorationCoordinator/prepare()``.
///
/// ```swift
/// var registry = RestorationRegistry()
/// try registry.register(
///   restorationClass: DetailController.self)
/// try registry.register(template: "Settings") { _ in
///   SettingsController()
/// }
/// ```
@MainActor
public struct RestorationRegistry {
  private var classes: [NameKey: any RestorationClass.Type] = [:]
  private var objectClasses: [NameKey: any ObjectRestorationClass.Type] = [:]
  private var types: [NameKey: any RestorableObject.Type] = [:]
  /// Superclasses that are not restorable themselves, by their former names.
  private var superclasses: [NameKey: AnyClass] = [:]
  /// The names that each class was registered under, in the order of registration.
  private var namesByClass: [ObjectIdentifier: [String]] = [:]
  private var paths: [RestorationPath: RestorationPath] = [:]
  private var templates: [NameKey: (RestorationPath) throws -> (any RestorableNode)?] = [:]

  /// Creates an empty registry.
  public init() {}

  /// Registers a restoration class under its stable name, and under a former one after a rename or a move.
  ///
  /// - Throws: ``RestorationError`` when the name is empty, belongs to another class, or is not the same in
  ///   every process, as that of a private or local type.
  public mutating func register(
    restorationClass: any RestorationClass.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = restorationClass.restorationClassName
    try Self.register(
      restorationClass, as: alias ?? name, in: &classes, role: "restoration class"
    ) { $0 == restorationClass }
    // The next save writes the present name, so the next launch has to find it too.
    if alias != nil { Self.add(restorationClass, as: name, to: &classes) }
  }

  /// Registers a class that makes registered objects, under its stable name, and under a former one after a rename.
  ///
  /// - Throws: ``RestorationError`` when the name is empty, belongs to another class, or is not the same in
  ///   every process, as that of a private or local type.
  public mutating func register(
    objectRestorationClass: any ObjectRestorationClass.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = objectRestorationClass.restorationClassName
    try Self.register(
      objectRestorationClass, as: alias ?? name, in: &objectClasses,
      role: "object restoration class"
    ) { $0 == objectRestorationClass }
    if alias != nil { Self.add(objectRestorationClass, as: name, to: &objectClasses) }
  }

  /// Registers a type of restorable objects under its stable name.
  ///
  /// Use it for types that were renamed or moved to another module, which also changes their names: with the alias
  /// they, and their subclasses, read the state that was saved under the former name, saved properties included.
  /// Without any registration, an object may decode the state of a type whose saved name is that of its own type or
  /// of a superclass (the class rule, Spec/restoration.md, section 5).
  ///
  /// - Throws: ``RestorationError`` when the name is empty, belongs to another type, or is not the same in
  ///   every process, as that of a private or local type.
  public mutating func register(
    type: any RestorableObject.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = alias ?? type.restorationTypeName
    try Self.register(type, as: name, in: &types, role: "type") { $0 == type }
    note(name, of: ObjectIdentifier(type))
  }

  /// Registers the former name of a superclass, so that its subclasses read its saved properties.
  ///
  /// Use it for a class that was renamed or moved to another module and is not restorable itself. For a restorable
  /// class, use ``register(type:alias:)``. The former name has the module and the types that enclosed the class.
  ///
  /// - Throws: ``RestorationError`` when the name is empty, belongs to another class, or is not the same in
  ///   every process, as that of a private or local class.
  public mutating func register(
    superclass: AnyClass, alias: String
  ) throws(RestorationError) {
    try Self.register(superclass, as: alias, in: &superclasses, role: "superclass") {
      $0 == superclass
    }
    note(alias, of: ObjectIdentifier(superclass))
  }

  private mutating func note(_ name: String, of type: ObjectIdentifier) {
    let known = namesByClass[type] ?? []
    if !known.contains(where: { $0.hasSameBytes(as: name) }) { namesByClass[type] = known + [name] }
  }

  func names(of type: Any.Type) -> [String] { namesByClass[ObjectIdentifier(type)] ?? [] }

  /// Registers a named template, the neutral stand-in for a storyboard scene; its closure gives `nil` to make no node.
  ///
  /// - Throws: ``RestorationError`` when the name is empty or taken.
  public mutating func register(
    template name: String, instantiate: @escaping (RestorationPath) throws -> (any RestorableNode)?
  ) throws(RestorationError) {
    let name = NameKey(name)
    try Self.checkName(name, isTaken: templates[name] != nil, role: "template")
    templates[name] = instantiate
  }

  /// Registers a former path: the object that was saved under it, and all objects below, are restored under a new
  /// path.
  ///
  /// Use it after an identifier was renamed, or a node moved to another container. A moved node is not attached to
  /// its former container. Both paths have the root first.
  ///
  /// - Throws: ``RestorationError`` when a path is empty or has an empty component, or the former path
  ///   has another alias.
  public mutating func register(
    formerPath: [String], for path: [String]
  ) throws(RestorationError) {
    guard let today = RestorationPath(path), let former = RestorationPath(formerPath) else {
      throw RestorationError(
        .invalidRegistration,
        "A path alias from \(formerPath) to \(path) has an empty path or component; name both paths "
          + "from the root.")
    }
    guard paths[former].map({ $0 == today }) ?? true else {
      throw RestorationError(
        .invalidRegistration,
        "The former path \(formerPath) already leads to another path; give each one alias.")
    }
    paths[former] = today
  }

  /// The present path of a saved path that has an alias.
  func alias(of path: RestorationPath) -> RestorationPath? {
    paths[path]
  }

  /// Registers a type under a name; registering the same type again does nothing.
  private static func register<Metatype>(
    _ type: Metatype, as name: String, in types: inout [NameKey: Metatype], role: String,
    isSame: (Metatype) -> Bool
  ) throws(RestorationError) {
    let name = NameKey(name)
    if let present = types[name], isSame(present) { return }
    try checkName(name, isTaken: types[name] != nil, role: role)
    types[name] = type
  }

  /// Registers a type under its present name too, unless that name is taken or cannot be registered.
  private static func add<Metatype>(
    _ type: Metatype, as name: String, to types: inout [NameKey: Metatype]
  ) {
    let key = NameKey(name)
    if types[key] == nil, !name.isEmpty, StableName.isStable(name) { types[key] = type }
  }

  private static func checkName(
    _ key: NameKey, isTaken: Bool, role: String
  ) throws(RestorationError) {
    let name = key.name
    guard !name.isEmpty else {
      throw RestorationError(
        .invalidRegistration, "A \(role) was registered under an empty name; give it a stable name."
      )
    }
    guard StableName.isStable(name) else {
      throw RestorationError(
        .invalidRegistration,
        "The \(role) \(StableName.shown(name)) has another name in every process, because it is private, "
          + "local or generic over such a type; give it a restorationTypeName or restorationClassName of "
          + "its own.")
    }
    guard !isTaken else {
      throw RestorationError(
        .invalidRegistration,
        "The name \"\(name)\" already belongs to another \(role); give each a name of its own.")
    }
  }

  /// True when any path has an alias; most programs have none.
  var hasPathAliases: Bool { !paths.isEmpty }
}

// Lookup by name.
extension RestorationRegistry {
  func restorationClass(named name: String) -> (any RestorationClass.Type)? {
    classes[NameKey(name)]
  }

  func objectRestorationClass(named name: String) -> (any ObjectRestorationClass.Type)? {
    objectClasses[NameKey(name)]
  }

  func template(named name: String) -> ((RestorationPath) throws -> (any RestorableNode)?)? {
    templates[NameKey(name)]
  }

  /// Makes a node from a registered template, or returns `nil` when the template wants to leave it out.
  ///
  /// - Throws: ``RestorationError`` with the code `unregisteredTemplate`, or the error of the template.
  func instantiateTemplate(
    named name: String, at path: RestorationPath
  ) throws -> (any RestorableNode)? {
    guard let instantiate = template(named: name) else {
      throw RestorationError(
        .unregisteredTemplate,
        "No template is registered under the name \"\(name)\"; register it with the "
          + "RestorationRegistry.", at: path)
    }
    return try instantiate(path)
  }

  /// Whether an object may decode the state of the named type: its own type or a superclass has the name, or the name
  /// is registered for one of them.
  func isObject(_ object: any RestorableObject, ofTypeNamed name: String) -> Bool {
    if type(of: object).restorationTypeName.hasSameBytes(as: name) { return true }
    if let saved = types[NameKey(name)], isInstance(object, of: saved) { return true }
    var mirror = Mirror(reflecting: object).superclassMirror
    while let superclass = mirror {
      let type = superclass.subjectType as? any RestorableObject.Type
      if let type, type.restorationTypeName.hasSameBytes(as: name) { return true }
      mirror = superclass.superclassMirror
    }
    return false
  }

  private func isInstance<Saved: RestorableObject>(
    _ object: any RestorableObject, of type: Saved.Type
  ) -> Bool {
    object is Saved
  }
}
