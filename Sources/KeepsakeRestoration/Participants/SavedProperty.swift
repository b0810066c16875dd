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
    let files = DeclaringFile.all.values.filter(\.hasUnfound)
    return Set(files.map { String($0.name.prefix { $0 != "/" }) })
  }

  /// The key that the declaration states; `nil` for the name of the property.
  let statedKey: String?
  /// The file that declares the property.
  private let file: DeclaringFile
  /// What is told of changes, once a save or a restore has met the object.
  private weak var changes: StateChanges?
  private var isFound = false
  /// Whether the value was set while it was not known which state it is part of.
  private var wasSet = false

  init(key: String?, file: String) {
    statedKey = key
    self.file = DeclaringFile.named(file)
    Self.areUsed = true
    self.file.addUnfound(1)
  }

  deinit {
    if !isFound { file.addUnfound(-1) }
  }

  /// Writes the value.
  func encode(with coder: inout RestorationEncoder, forKey key: ArchiveKey) throws {}

  /// Reads the value that was written under a key.
  func decode(with coder: borrowing RestorationDecoder, forKey key: ArchiveKey) throws {}

  /// Lets the property know which state it is part of.
  ///
  /// - Returns: Whether the value was set before that was known.
  func join(_ changes: StateChanges) -> Bool {
    if !isFound { file.addUnfound(-1) }
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
      wasSet = true
      StateChanges.lookForNewObjects()
    }
  }
}

/// A file that declares saved properties, and how many of them there are that no save and no restore has met.
private final class DeclaringFile: Sendable {
  @MainActor private(set) static var all: [String: DeclaringFile] = [:]
  /// The file of the property before: those of one object mostly are in one file.
  @MainActor private static var last: DeclaringFile?

  /// The name of the file, with its module.
  let name: String
  /// Properties are released on any thread.
  private let unfoundCount = Atomic(0)

  var hasUnfound: Bool { unfoundCount.load(ordering: .relaxed) > 0 }

  private init(name: String) {
    self.name = name
  }

  @MainActor
  static func named(_ name: String) -> DeclaringFile {
    if let last, last.name == name { return last }
    let file = all[name] ?? DeclaringFile(name: name)
    all[name] = file
    last = file
    return file
  }

  func addUnfound(_ number: Int) {
    unfoundCount.add(number, ordering: .relaxed)
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
