#if Macros
  /// Writes the keyed conformance of a type from its stored properties, as one would by hand.
  ///
  /// It is there for packages that ask for the trait `Macros`; no other package fetches or builds what it takes:
  ///
  /// ```swift
  /// .package(url: "...", from: "1.0.0", traits: ["Macros"])
  /// ```
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
  /// - A structure becomes an ``ArchiveRecord``. Each stored property has its name as its key. An optional is nil
  ///   when its key is absent; every other key has to be there, unless the property has a ``Default(_:)``.
  /// - An enumeration becomes an ``ArchiveEnumeration``, whose cases are stored by their names, and their values
  ///   under their labels, or `_0`, `_1` and so on where they have none. One with raw values is stored by these.
  /// - A final class becomes an ``ArchivableObject``. What is marked with ``ObjectReference()`` leads to other objects,
  ///   all else is a value. The initialiser that reads an object is in the class, so that a class which had none
  ///   needs one to be made by. A class with subclasses is made one by ``ArchivableClass(typeName:schemaVersion:)``, and
  ///   its subclasses by ``ArchivableSubclass(typeName:schemaVersion:)``.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type in archives: none by default for a value, and the name of the type for a
  ///     class. Two classes with one name, such as two of one generic class, cannot both be registered.
  ///   - schemaVersion: The version of the type's keys.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(with:)),
    named(init(forArchive:)), named(decode(from:)))
  @attached(
    extension,
    conformances: ArchiveValue, ArchiveRecord, ArchiveEnumeration, ArchivableObject,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(archiveCase),
    named(encode(with:)), named(init(from:)), named(init(archiveCase:from:)))
  public macro Archivable(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableMacro")

  /// Writes what ``Archivable(typeName:schemaVersion:)`` does for a class that may have subclasses.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type in archives; by default the name of the type.
  ///   - schemaVersion: The version of the type's keys.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(with:)),
    named(init(forArchive:)), named(decode(from:)))
  @attached(extension, conformances: ArchivableObject)
  public macro ArchivableClass(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableMacro")

  /// Writes what ``Archivable(typeName:schemaVersion:)`` does for a class whose superclass is an ``ArchivableObject``.
  ///
  /// What is inherited is written and read in a scope of the superclass's name, so that the keys of both never meet.
  /// A superclass that is written by hand has `archiveTypeName` and `archiveSchemaVersion` as `class` properties, and
  /// `decode(from:)` among its methods, to be overridden.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type in archives; by default the name of the type.
  ///   - schemaVersion: The version of the keys that the class itself declares.
  @attached(
    member,
    names: named(archiveTypeName), named(archiveSchemaVersion), named(encode(with:)),
    named(init(forArchive:)), named(decode(from:)))
  public macro ArchivableSubclass(typeName: String = "", schemaVersion: UInt32 = 0) =
    #externalMacro(module: "KeepsakeMacros", type: "ArchivableSubclassMacro")

  /// States the key of a property, or the name of a case, of an ``Archivable(typeName:schemaVersion:)`` type.
  ///
  /// - Parameters:
  ///   - name: The key that is written and read.
  ///   - aliases: Former keys, read in this order where the key is absent.
  @attached(peer)
  public macro Key(_ name: String, aliases: [String] = []) =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// States the value of a property of an ``Archivable(typeName:schemaVersion:)`` type where its key is absent or has
  /// no value.
  ///
  /// - Parameter value: The value, with its type where it is not that of a literal: `Order.byName`.
  @attached(peer)
  public macro Default<Value>(_ value: Value) =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// Leaves a property of an ``Archivable(typeName:schemaVersion:)`` type out: it is not stored, and has the value of its
  /// declaration after reading.
  @attached(peer)
  public macro Ignored() = #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")

  /// Lets a property of an ``Archivable(typeName:schemaVersion:)`` class lead to another ``ArchivableObject``, or an array
  /// to several, by references that keep their identity.
  ///
  /// What a `weak` property leads to is stored only if another reference leads to it too.
  @attached(peer)
  public macro ObjectReference() =
    #externalMacro(module: "KeepsakeMacros", type: "MarkingMacro")
#endif
