import KeepsakeArchive
import Synchronization

/// What every saved property is to the engine: a key, and a way to write and read its value.
///
/// ``Saved`` and ``SavedReference`` are its kinds. An app has nothing to do with this class itself.
@MainActor
public class SavedProperty {
  /// Whether the process has ever made a saved property: otherwise there is nothing to look for in any object.
  private(set) static var areUsed = false

  /// The modules that declare properties which no save and no restore has met.
  static var modulesOfUnfound: Set<String> {
    let unfound = Declaration.all.filter { $0.hasUnfound }
    return Set(unfound.map { String($0.file.prefix { $0 != "/" }) })
  }

  /// Where properties are declared that were set, and of whose declaration no save and no restore has met any, in the
  /// order of files and lines.
  static var unsavedDeclarations: [String] {
    var unsaved = Declaration.all.filter { $0.hasUnsaved && !$0.isMet }
    unsaved.sort { one, other in
      one.file == other.file ? one.line < other.line : one.file < other.file
    }
    return unsaved.map { "\($0.file), line \($0.line)" }
  }

  /// The key that the declaration states; `nil` for the name of the property.
  let statedKey: String?
  private let declaration: Declaration
  /// What is told of changes, once a save or a restore has met the object.
  private weak var changes: StateChanges?
  private var isFound = false
  /// Whether the value was set while it was not known which state it is part of.
  private var wasSet = false

  init(key: String?, file: String, line: Int) {
    statedKey = key
    declaration = Declaration.at(file, line)
    Self.areUsed = true
    declaration.addUnfound(1)
  }

  deinit {
    if isFound { return }
    declaration.addUnfound(-1)
    if wasSet { declaration.addUnsaved(-1) }
  }

  /// Writes the value.
  func encode(with coder: inout RestorationEncoder, forKey key: ArchiveKey) throws {}

  /// Reads the value that was written under a key.
  func decode(with coder: borrowing RestorationDecoder, forKey key: ArchiveKey) throws {}

  /// Lets the property know which state it is part of.
  ///
  /// - Returns: Whether the value was set before that was known.
  func join(_ changes: StateChanges) -> Bool {
    if !isFound {
      declaration.addUnfound(-1)
      if wasSet { declaration.addUnsaved(-1) }
      declaration.isMet = true
    }
    isFound = true
    self.changes = changes
    defer { wasSet = false }
    return wasSet
  }

  /// Tells that the value was set.
  @usableFromInline
  final func noteChange() {
    if let changes {
      changes.note()
    } else {
      if !isFound, !wasSet { declaration.addUnsaved(1) }
      wasSet = true
      StateChanges.lookForNewObjects()
    }
  }
}

/// A declaration of a saved property, and how many of its properties there are that no save and no restore has met.
private final class Declaration: Sendable {
  /// The declarations of a file, by their lines.
  @MainActor private static var files: [String: [Int: Declaration]] = [:]
  /// Those of the property before: the properties of one object mostly are in one file.
  @MainActor private static var last: (file: String, declarations: [Int: Declaration]) = ("", [:])

  @MainActor static var all: [Declaration] { files.values.flatMap(\.values) }

  /// The name of the file, with its module.
  let file: String
  let line: Int
  /// Whether a save or a restore has met any of the properties.
  @MainActor var isMet = false
  /// Properties are released on any thread.
  private let unfoundCount = Atomic(0)
  /// How many of them were set.
  private let unsavedCount = Atomic(0)

  var hasUnfound: Bool { unfoundCount.load(ordering: .relaxed) > 0 }
  var hasUnsaved: Bool { unsavedCount.load(ordering: .relaxed) > 0 }

  private init(_ file: String, _ line: Int) {
    self.file = file
    self.line = line
  }

  @MainActor
  static func at(_ file: String, _ line: Int) -> Declaration {
    if last.file != file { last = (file, files[file] ?? [:]) }
    if let known = last.declarations[line] { return known }
    let declaration = Declaration(file, line)
    last.declarations[line] = declaration
    files[file] = last.declarations
    return declaration
  }

  func addUnfound(_ number: Int) {
    unfoundCount.add(number, ordering: .relaxed)
  }

  func addUnsaved(_ number: Int) {
    unsavedCount.add(number, ordering: .relaxed)
  }
}

/// Who wants to know of changes of a state, so that it is saved in time.
@MainActor
package protocol StateChangeObserver: AnyObject {
  /// Tells that a saved property was set.
  func noteStateChange()

  /// Looks for objects of the application that are not known yet, since one of them may have changed.
  func findSavedProperties()
}

/// The changes of one state, on their way from saved properties to whoever saves it.
@MainActor
package final class StateChanges {
  private struct WeakChanges {
    weak var changes: StateChanges?
  }

  private struct WeakObserver {
    weak var observer: (any StateChangeObserver)?
  }

  /// The changes that somebody observes.
  private static var observed: [WeakChanges] = []
  /// Whether a property was set of an object that is not known yet.
  private static var mustLook = false

  private var observers: [WeakObserver] = []
  /// Whether something changed before there was an observer.
  private var isUnheard = false

  init() {}

  /// Adds an observer, which is not kept alive; the first is told of changes before it.
  package func add(_ observer: any StateChangeObserver) {
    observers.removeAll { $0.observer == nil }
    observers.append(WeakObserver(observer: observer))
    Self.observed.removeAll { $0.changes == nil || $0.changes === self }
    Self.observed.append(WeakChanges(changes: self))
    if isUnheard { note() }
    if Self.mustLook { Self.lookSoon() }
  }

  func note() {
    isUnheard = observers.isEmpty
    for member in observers { member.observer?.noteStateChange() }
  }

  /// Has objects looked for that came into being since the last save, once in a turn of the main actor: a
  /// property of one of them was set, and cannot tell which state it is part of.
  ///
  /// Where nobody observes a state yet, that waits for the first who does.
  static func lookForNewObjects() {
    if !mustLook, !observed.isEmpty { lookSoon() }
    mustLook = true
  }

  private static func lookSoon() {
    Task { @MainActor in lookIfNeeded() }
  }

  /// Looks for new objects at once where that is still to be done: for whoever has to know now what has changed,
  /// as at the end of the process, which may leave the main actor no further turn.
  package static func lookIfNeeded() {
    guard mustLook, !observed.isEmpty else { return }
    mustLook = false
    for member in observed {
      for observer in member.changes?.observers ?? [] { observer.observer?.findSavedProperties() }
    }
  }
}
