/// The stable names under which a program's restoration classes, types and templates are found.
///
/// An archive never names a Swift type: it holds stable names, and this registry is the only way
/// from a name to code. Fill it once, before ``RestorationCoordinator/prepare()``.
///
/// ```swift
/// var registry = RestorationRegistry()
/// try registry.register(restorationClass: DetailController.self)
/// try registry.register(template: "Settings") { _ in SettingsController() }
/// ```
@MainActor
public struct RestorationRegistry {
  private var classes: [String: any RestorationClass.Type] = [:]
  private var objectClasses: [String: any ObjectRestorationClass.Type] = [:]
  private var types: [String: any RestorableObject.Type] = [:]
  private var paths: [[String]: RestorationPath] = [:]
  private var templates: [String: (RestorationPath) throws -> (any RestorableNode)?] = [:]

  /// Creates an empty registry.
  public init() {}

  /// Registers a restoration class under its stable name.
  ///
  /// - Parameters:
  ///   - restorationClass: The class that makes nodes.
  ///   - alias: A former name to answer to instead of the present one, after a rename.
  /// - Throws: ``RestorationError`` when the name is empty or belongs to another class.
  public mutating func register(
    restorationClass: any RestorationClass.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = alias ?? restorationClass.restorationClassName
    if let present = classes[name], present == restorationClass { return }
    try Self.checkName(name, isTaken: classes[name] != nil, role: "restoration class")
    classes[name] = restorationClass
  }

  /// Registers a class that makes registered objects, under its stable name.
  ///
  /// - Parameters:
  ///   - objectRestorationClass: The class that makes objects.
  ///   - alias: A former name to answer to instead of the present one, after a rename.
  /// - Throws: ``RestorationError`` when the name is empty or belongs to another class.
  public mutating func register(
    objectRestorationClass: any ObjectRestorationClass.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = alias ?? objectRestorationClass.restorationClassName
    if let present = objectClasses[name], present == objectRestorationClass { return }
    try Self.checkName(name, isTaken: objectClasses[name] != nil, role: "object restoration class")
    objectClasses[name] = objectRestorationClass
  }

  /// Registers a type of restorable objects under its stable name.
  ///
  /// An object whose own type has the saved name is always asked to decode. Registering a type lets
  /// its *subclasses* be returned in its place too, and an alias lets a renamed type read what its
  /// former name wrote (the class rule, Spec/restoration.md, section 5).
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - alias: A former name to answer to instead of the present one, after a rename.
  /// - Throws: ``RestorationError`` when the name is empty or belongs to another type.
  public mutating func register(
    type: any RestorableObject.Type, alias: String? = nil
  ) throws(RestorationError) {
    let name = alias ?? type.restorationTypeName
    if let present = types[name], present == type { return }
    try Self.checkName(name, isTaken: types[name] != nil, role: "type")
    types[name] = type
  }

  /// Registers a named template, the neutral stand-in for a storyboard scene.
  ///
  /// - Parameters:
  ///   - name: The name, as in ``RestorableNode/restorationTemplate``.
  ///   - instantiate: Makes the node for a path, or gives `nil` to leave it out.
  /// - Throws: ``RestorationError`` when the name is empty or taken.
  public mutating func register(
    template name: String, instantiate: @escaping (RestorationPath) throws -> (any RestorableNode)?
  ) throws(RestorationError) {
    try Self.checkName(name, isTaken: templates[name] != nil, role: "template")
    templates[name] = instantiate
  }

  /// Lets what was saved under a former path be restored under a new one, with all below it.
  ///
  /// Use it after an identifier was renamed, or a node moved to another container. A node that moved is
  /// not handed to its former container.
  ///
  /// - Parameters:
  ///   - formerPath: The path in archives that were written before, root first.
  ///   - path: The path today, root first.
  /// - Throws: ``RestorationError`` when a path is empty or has an empty component, or the former path
  ///   has another alias.
  public mutating func register(
    formerPath: [String], for path: [String]
  ) throws(RestorationError) {
    guard let today = RestorationPath(path), RestorationPath(formerPath) != nil else {
      throw RestorationError(
        .invalidRegistration,
        "A path alias from \(formerPath) to \(path) has an empty path or component; name both paths "
          + "from the root.")
    }
    guard paths[formerPath].map({ $0 == today }) ?? true else {
      throw RestorationError(
        .invalidRegistration,
        "The former path \(formerPath) already leads to another path; give each one alias.")
    }
    paths[formerPath] = today
  }

  /// The path that a saved path stands for today, when it has an alias.
  func alias(of path: RestorationPath) -> RestorationPath? {
    paths[path.components]
  }

  private static func checkName(
    _ name: String, isTaken: Bool, role: String
  ) throws(RestorationError) {
    guard !name.isEmpty else {
      throw RestorationError(
        .invalidRegistration, "A \(role) was registered under an empty name; give it a stable name."
      )
    }
    guard !isTaken else {
      throw RestorationError(
        .invalidRegistration,
        "The name \"\(name)\" already belongs to another \(role); give each a name of its own.")
    }
  }

  /// Whether any path has an alias; most programs have none.
  var hasPathAliases: Bool { !paths.isEmpty }

  func restorationClass(named name: String) -> (any RestorationClass.Type)? { classes[name] }

  func objectRestorationClass(named name: String) -> (any ObjectRestorationClass.Type)? {
    objectClasses[name]
  }

  func template(named name: String) -> ((RestorationPath) throws -> (any RestorableNode)?)? {
    templates[name]
  }

  /// Whether an object may decode what an object of the named type encoded.
  func isObject(_ object: any RestorableObject, ofTypeNamed name: String) -> Bool {
    if let saved = types[name], isInstance(object, of: saved) { return true }
    return type(of: object).restorationTypeName == name
  }

  private func isInstance<Saved: RestorableObject>(
    _ object: any RestorableObject, of type: Saved.Type
  ) -> Bool {
    object is Saved
  }
}
