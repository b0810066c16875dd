public import KeepsakeArchive

/// A property of a restorable object that is saved and restored without further code.
///
/// ```swift
/// final class NoteController: HeadlessViewController {
///   @Saved var draft = ""
///   @Saved("sort") var order = SortOrder.byName
/// }
/// ```
///
/// Each save writes the value under the name of the property, or under the stated key; a restore reads it before it
/// calls ``RestorableObject/decodeRestorableState(with:)``. When no value was saved, the property keeps its present
/// value. A value that cannot be read costs only its own property, and the report names it. Setting the property
/// marks the state as changed, so that a saver saves it in time.
///
/// The application's delegate may have such properties too. When a property is set in an object that no window
/// contains and that is not registered, it is not saved, and the report of each save says so.
///
/// The properties of a superclass are in a scope of their own (Spec/restoration.md, section 4), so that the classes
/// of a hierarchy need not know each other's keys. Hand-written methods may write values beside saved properties,
/// under other keys.
///
/// A value may have any type that an archive stores, or be an enumeration with such a raw value. With the module
/// Keepsake, it may have any `Codable` type. Properties are found by reflection: in a class that is built without
/// reflection metadata, or that hides its properties in a mirror of its own, they are not saved, and the report says
/// so.
@MainActor
@propertyWrapper
public final class Saved<Value>: SavedProperty {
  @usableFromInline var value: Value
  private let write: @MainActor (Value, inout RestorationEncoder, ArchiveKey) throws -> Void
  private let read: @MainActor (borrowing RestorationDecoder, ArchiveKey) throws -> Value

  @usableFromInline
  package init(
    _ value: Value, key: String?, file: String, line: Int,
    write: @escaping @MainActor (Value, inout RestorationEncoder, ArchiveKey) throws -> Void,
    read: @escaping @MainActor (borrowing RestorationDecoder, ArchiveKey) throws -> Value
  ) {
    self.value = value
    self.write = write
    self.read = read
    super.init(key: key, file: file, line: line)
  }

  /// Creates a property of a type that an archive stores, under its own name or a stated key.
  ///
  /// The file and the line are those of the declaration, for reports.
  @inlinable
  public convenience init(
    wrappedValue: Value, _ key: String? = nil, file: String = #fileID, line: Int = #line
  ) where Value: ArchiveValue {
    self.init(
      wrappedValue, key: key, file: file, line: line,
      write: { value, coder, key in coder.encode(value, forKey: key) },
      read: { coder, key in try coder.decode(Value.self, forKey: key) })
  }

  /// Creates a property of an enumeration, or another type, with a raw value that an archive stores.
  ///
  /// The file and the line are those of the declaration, for reports.
  @_disfavoredOverload
  public convenience init(
    wrappedValue: Value, _ key: String? = nil, file: String = #fileID, line: Int = #line
  ) where Value: RawRepresentable, Value.RawValue: ArchiveValue {
    self.init(byRawValue: wrappedValue, key: key, file: file, line: line)
  }

  package convenience init(byRawValue value: Value, key: String?, file: String, line: Int)
  where Value: RawRepresentable, Value.RawValue: ArchiveValue {
    self.init(
      value, key: key, file: file, line: line,
      write: { value, coder, key in coder.encode(value.rawValue, forKey: key) },
      read: { coder, key in
        let rawValue = try coder.decode(Value.RawValue.self, forKey: key)
        if let value = Value(rawValue: rawValue) { return value }
        throw ArchiveError(
          .invalidValue, "\(Value.self) has no value with the raw value \(rawValue)")
      })
  }

  /// The value.
  @inlinable
  public var wrappedValue: Value {
    get { value }
    _modify {
      defer { noteChange() }
      yield &value
    }
    set {
      value = newValue
      noteChange()
    }
  }

  override func encode(with coder: inout RestorationEncoder, forKey key: ArchiveKey) throws {
    try write(value, &coder, key)
  }

  override func decode(
    with coder: borrowing RestorationDecoder, forKey key: ArchiveKey
  ) throws {
    value = try read(coder, key)
  }
}

/// A reference to a restorable object that is saved and restored without further code.
///
/// ```swift
/// @SavedReference var selected: Page?
/// @SavedReference(isStrong: true) var outline: Outline?
/// ```
///
/// If the object has an identifier, it is saved with the object that refers to it; after a restore, the property
/// leads to the same instance as all other references to it. Otherwise it works like ``Saved``.
@MainActor
@propertyWrapper
public final class SavedReference<Object: RestorableObject>: SavedProperty {
  private weak var target: Object?
  /// The object, when the property keeps it alive.
  private var kept: Object?
  private let isStrong: Bool

  /// Creates a reference, under its own name or a stated key.
  ///
  /// Set `isStrong` if the property is to keep the object alive; usually its container does. The file and the line are
  /// those of the declaration, for reports.
  public init(
    wrappedValue: Object? = nil, _ key: String? = nil, isStrong: Bool = false,
    file: String = #fileID, line: Int = #line
  ) {
    self.isStrong = isStrong
    super.init(key: key, file: file, line: line)
    set(wrappedValue)
  }

  /// Creates an empty reference that does not keep its object alive.
  public convenience init() { self.init(wrappedValue: nil) }

  /// The object; `nil` also after it was released.
  public var wrappedValue: Object? {
    get { target }
    set {
      set(newValue)
      noteChange()
    }
  }

  private func set(_ object: Object?) {
    target = object
    kept = isStrong ? object : nil
  }

  override func encode(with coder: inout RestorationEncoder, forKey key: ArchiveKey) throws {
    coder.encodeReference(target, forKey: key)
  }

  override func decode(
    with coder: borrowing RestorationDecoder, forKey key: ArchiveKey
  ) throws {
    set(try coder.decodeReference(Object.self, forKey: key))
  }
}
