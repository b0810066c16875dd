import KeepsakeArchive
import Synchronization

/// The base class of saved properties: a key, and methods that write and read the value.
///
/// ``Saved`` and ``SavedReference`` are its subclasses. Apps do not use this class itself.
@MainActor
public class SavedProperty {
  /// True when the process has ever made a saved property; otherwise no object needs to be searched.
  static var areUsed: Bool { Declaration.areKnown }

  /// The modules that declare properties that no save or restore has found.
  static var modulesOfUnfound: Set<String> {
    let unfound = Declaration.all.filter { $0.hasUnfound }
    return Set(unfound.map { String($0.file.prefix { $0 != "/" }) })
  }

  /// The places of declarations with properties that were set, when no save or restore has found any property of the
  /// declaration; sorted by file and line.
  static var unsavedDeclarations: [String] {
    var unsaved = Declaration.all.filter { $0.hasUnsaved && !$0.isFound }
    unsaved.sort { one, other in
      one.file == other.file ? one.line < other.line : one.file < other.file
    }
    return unsaved.map { "\($0.file), line \($0.line)" }
  }

  /// The key that the declaration states; nil when the key is the name of the property.
  let explicitKey: String?
  let declaration: Declaration
  /// The number of the state that learns of changes, which is cheaper to copy than a weak reference.
  private var stateNumber = StateChanges.noNumber
  private var isFound = false
  /// True when the value was set before the property had joined a state.
  private var wasSet = false

  init(key: String?, file: String, line: Int) {
    explicitKey = key
    declaration = Declaration.at(file, line)
    declaration.addUnfound(1)
    CreatedProperties.note(self)
  }

  deinit {
    if isFound { return }
    declaration.addUnfound(-1)
    if wasSet { declaration.addUnsaved(-1) }
  }

  func encode(with coder: inout RestorationEncoder, forKey key: ArchiveKey) throws {}

  func decode(with coder: borrowing RestorationDecoder, forKey key: ArchiveKey) throws {}

  /// Notes that a save or a restore has found the object of the property.
  func markAsFound() {
    if isFound { return }
    isFound = true
    declaration.addUnfound(-1)
    if wasSet { declaration.addUnsaved(-1) }
    if !declaration.isFound { declaration.isFound = true }
  }

  /// Whether the state is the one that learns of changes.
  func hasJoined(_ changes: StateChanges) -> Bool { stateNumber == changes.number }

  /// Joins the property to its state, and returns whether the value was set before.
  func join(_ changes: StateChanges) -> Bool {
    markAsFound()
    stateNumber = changes.number
    defer { wasSet = false }
    return wasSet
  }

  /// Reports that the value was set.
  @usableFromInline
  final func noteChange() {
    if let changes = StateChanges.open(stateNumber) {
      changes.note()
    } else {
      if !isFound, !wasSet { declaration.addUnsaved(1) }
      wasSet = true
      StateChanges.searchForNewObjects()
    }
  }
}

/// A declaration of a saved property, and the number of its properties that no save or restore has found.
final class Declaration: Sendable {
  /// The declarations by file and line.
  @MainActor private static var files: [String: [Int: Declaration]] = [:]
  /// The declaration of the last lookup.
  @MainActor private static var last: Declaration?

  @MainActor static var all: [Declaration] { files.values.flatMap(\.values) }

  /// True when the process has ever made a saved property.
  @MainActor static var areKnown: Bool { last != nil }

  /// The module and the name of the file.
  let file: String
  let line: Int
  /// True when a save or a restore has found any of the properties.
  @MainActor var isFound = false
  /// The number of properties that no save or restore has found; atomic, since properties may be released on any
  /// thread.
  private let unfoundCount = Atomic(0)
  /// The number of those that were set.
  private let unsavedCount = Atomic(0)

  /// The declaration that was looked up after this one.
  @MainActor private var next: Declaration?

  var hasUnfound: Bool { unfoundCount.load(ordering: .relaxed) > 0 }
  var hasOneUnfound: Bool { unfoundCount.load(ordering: .relaxed) == 1 }
  var hasUnsaved: Bool { unsavedCount.load(ordering: .relaxed) > 0 }

  private init(_ file: String, _ line: Int) {
    self.file = file
    self.line = line
  }

  @MainActor
  static func at(_ file: String, _ line: Int) -> Declaration {
    // The objects of a class make their properties in the same order, so the next lookup is usually known.
    if let known = last?.next, known.line == line, known.file == file {
      last = known
      return known
    }
    let declaration = files[file]?[line] ?? Declaration(file, line)
    files[file, default: [:]][line] = declaration
    last?.next = declaration
    last = declaration
    return declaration
  }

  func addUnfound(_ number: Int) {
    unfoundCount.add(number, ordering: .relaxed)
  }

  func addUnsaved(_ number: Int) {
    unsavedCount.add(number, ordering: .relaxed)
  }
}

/// An observer of the changes of a state, which saves it in time.
@MainActor
package protocol StateChangeObserver: AnyObject {
  /// Reports that a saved property was set.
  func noteStateChange()

  /// Finds the new objects of the application, since a property of one of them may have been set.
  func findSavedProperties()
}

/// Passes changes of saved properties to the observers of one state.
@MainActor
package final class StateChanges {
  private struct OpenState {
    let number: Int
    weak var changes: StateChanges?
  }

  private struct WeakObserver {
    weak var observer: (any StateChangeObserver)?
  }

  /// The number of a property that belongs to no state.
  static let noNumber = 0
  private static var lastNumber = noNumber
  /// The states of the process.
  private static var openStates: [OpenState] = []
  /// True when any state has an observer.
  private static var areObserved: Bool {
    openStates.contains { $0.changes?.observers.isEmpty == false }
  }
  /// True when a property of an unknown object was set, and new objects have not been looked for since.
  private static var needsSearch = false

  let number: Int
  private var observers: [WeakObserver] = []
  /// True when a change came before the first observer.
  private var hasUnreportedChange = false

  init() {
    Self.lastNumber += 1
    number = Self.lastNumber
    Self.openStates.removeAll { $0.changes == nil }
    Self.openStates.append(OpenState(number: number, changes: self))
  }

  /// The state with a number; nil when it was released, and for ``noNumber``.
  static func open(_ number: Int) -> StateChanges? {
    if number == noNumber { return nil }
    for index in openStates.indices where openStates[index].number == number {
      return openStates[index].changes
    }
    return nil
  }

  /// Adds an observer and holds it weakly; the first one is also told of earlier changes.
  package func add(_ observer: any StateChangeObserver) {
    observers.removeAll { $0.observer == nil }
    observers.append(WeakObserver(observer: observer))
    if hasUnreportedChange { note() }
    if Self.needsSearch { Self.scheduleSearch() }
  }

  func note() {
    hasUnreportedChange = observers.isEmpty
    for member in observers { member.observer?.noteStateChange() }
  }

  /// Finds new objects, once in a turn of the main actor: a property of one of them was set, but the object has not
  /// joined a state.
  ///
  /// Without an observer, the search waits for the first one.
  static func searchForNewObjects() {
    if !needsSearch, areObserved { scheduleSearch() }
    needsSearch = true
  }

  private static func scheduleSearch() {
    Task { @MainActor in searchIfNeeded() }
  }

  /// Finds new objects at once, if that is still to be done: at the end of the process the main actor may have no
  /// further turn.
  package static func searchIfNeeded() {
    guard needsSearch, areObserved else { return }
    needsSearch = false
    for member in openStates {
      for observer in member.changes?.observers ?? [] { observer.observer?.findSavedProperties() }
    }
  }
}
