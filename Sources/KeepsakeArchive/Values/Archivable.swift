#if Macros
  /// Writes the keyed conformance of a type from its stored properties, as one would by hand.
  ///
  /// Only packages that ask for the trait `Macros` have it, because it needs swift-syntax:
  ///
  /// ```swift
  /// .package(
  ///   url: "<URL>", .upToNextMinor(from: "0.1.0"),
  ///   traits: ["Macros"])
  /// ```
  ///
  /// The macro writes the methods of a marked type:
  ///
  /// ```swift
  /// @Archivable
  /// struct Contact {
  ///   @Key("name", aliases: ["fullName"]) var title: String
  ///   var birthday: ArchiveDate?
  ///   @Default(0) var callCount: Int
  ///   @Ignored var isSelected = false
  /// }
  /// ```
  ///
  /// - A structure becomes an ``ArchiveRecord``. The key of a stored property is its name. An optional is nil when its
  ///   key is absent; every other key is required, unless the property has a ``Default(_:)``.
  /// - An enumeration becomes an ``ArchiveEnumeration``. A case is stored by its name, and its values under their
  ///   labels, or under `_0`, `_1` and so on without labels. An enumeration with raw values is stored by these.
  /// - A final class becomes an ``ArchiveObject``. A property that is marked with ``ObjectReference()`` refers to
  ///   another object; every other property is a value. The macro adds an initialiser that reads an object, so the class
  ///   has to declare the initialiser that your program calls. For a class with subclasses use
  ///   ``ArchivableClass(typeName:schemaVersion:)``, and for each subclass
  ///   ``ArchivableSubclass(typeName:schemaVersion:)``.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type in archives. By default a value has none, and a class has its own name. Two
  ///     classes with the same name, such as two of one generic class, cannot both be registered.
  ///   - schemaVersion: The version of the type's keys.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(to:)),
    named(init(from:)), named(decode(from:)))
  @attached(
    extension,
    conformances: ArchiveValue, ArchiveRecord, ArchiveEnumeration, ArchiveObject,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(archiveCase),
    named(encode(to:)), named(init(from:)), named(init(archiveCase:from:)))
  public macro Archivable(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableMacro")

  /// Writes what ``Archivable(typeName:schemaVersion:)`` does for a class that may have subclasses.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(to:)),
    named(init(from:)), named(decode(from:)))
  @attached(extension, conformances: ArchiveObject)
  public macro ArchivableClass(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableMacro")

  /// Writes what ``Archivable(typeName:schemaVersion:)`` does for a class whose superclass is an ``ArchiveObject``.
  ///
  /// The superclass's values are stored in a scope of its name, so that the keys of both classes never collide. A
  /// superclass that is written by hand has `archiveTypeName` and `archiveSchemaVersion` as `class` properties, and
  /// a method `decode(from:)`, which the subclass overrides. The schema version is that of the keys that the class
  /// itself declares.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(to:)),
    named(init(from:)), named(decode(from:)))
  public macro ArchivableSubclass(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableSubclassMacro")

  /// States the key of a property, or the name of a case, of an ``Archivable(typeName:schemaVersion:)`` type.
  ///
  /// Aliases are former keys, which are tried in their order when the key is absent.
  @attached(peer)
  public macro Key(_ name: String, aliases: [String] = []) =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// States the value of a property of an ``Archivable(typeName:schemaVersion:)`` type whose key is absent or nil.
  ///
  /// - Parameter value: The value. Write the type before one that is not a literal: `Order.byName`.
  @attached(peer)
  public macro Default<Value>(_ value: Value) =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// Leaves a property of an ``Archivable(typeName:schemaVersion:)`` type out: it is not stored, and reading gives it
  /// the initial value of its declaration.
  @attached(peer)
  public macro Ignored() = #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// Stores the ``ArchiveObject`` in a property of an ``Archivable(typeName:schemaVersion:)`` class, or those in an
  /// array, as references: a shared object stays shared.
  ///
  /// The object of a `weak` property is stored only if another reference leads to it too.
  @attached(peer)
  public macro ObjectReference() =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")
#endif
