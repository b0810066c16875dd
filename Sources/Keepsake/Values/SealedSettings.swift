import KeepsakeFiles
public import Observation

/// Holds the value of a ``SealedValueStore`` in memory: it saves changes, and follows those of other processes.
///
/// ```swift
/// let settings = SealedSettings(store)
/// settings[\.fontSize] += 2
/// print(settings.value.fontSize)
/// ```
///
/// Views and `withObservationTracking` follow ``value``. A change is in ``value`` at once. It is saved elsewhere, as
/// by ``SealedValueStore/update(_:)-10wb2``: other properties keep what other processes have saved. At most one save
/// runs at a time, and the next save has all changes that were made meanwhile. Call ``synchronize()`` before the app
/// ends, which waits for the last save. ``SealedSetting`` is one property of the value.
///
/// A failure is in ``failure``, and is passed to the function that the initialiser takes. Changes that could not be
/// saved stay in ``value``. They are saved with the next change, when the file changes, or by ``synchronize()``. While
/// the file cannot be read, ``value`` is the store's default, and nothing is overwritten.
@MainActor @Observable
public final class SealedSettings<Value: Codable & Sendable> {
  private struct Change {
    /// The property that is set; nil when the change is a function of the app.
    let property: AnyKeyPath?
    let apply: @Sendable (inout Value) -> Void
  }

  /// The value, with changes that are not saved yet.
  public private(set) var value: Value
  /// The error of the last read or save; nil when it succeeded.
  public private(set) var failure: KeepsakeError?
  /// True while a change has not reached the disk.
  public private(set) var hasUnsavedChanges = false

  @ObservationIgnored private let store: SealedValueStore<Value>
  @ObservationIgnored private let onFailure: @MainActor (KeepsakeError) -> Void
  /// Changes that no save has begun to write.
  @ObservationIgnored private var pending: [Change] = []
  /// True when the file has changed since the last read began.
  @ObservationIgnored private var isOutdated = false
  /// The save or read under way, which keeps this object alive.
  @ObservationIgnored private var worker: Task<Void, Never>?
  @ObservationIgnored private var watch: FileWatch?

  /// Reads the value, on the calling thread, and begins to follow it.
  ///
  /// - Parameters:
  ///   - store: The store of the value.
  ///   - onFailure: Called with the error of each read and save that fails; show it to the user.
  public init(
    _ store: SealedValueStore<Value>,
    onFailure: @escaping @MainActor (KeepsakeError) -> Void = { _ in }
  ) {
    self.store = store.separateStore()
    self.onFailure = onFailure
    value = store.initialValue
    do throws(KeepsakeError) {
      try watchFile()
      value = try store.load()
    } catch {
      report(error)
    }
  }

  /// One property of the value; setting it saves it.
  public subscript<Property: Sendable>(
    property: any WritableKeyPath<Value, Property> & Sendable
  ) -> Property {
    get { value[keyPath: property] }
    set { make(Change(property: property) { $0[keyPath: property] = newValue }) }
  }

  /// Changes the value, and saves it.
  ///
  /// - Parameter change: Changes the value. It is called several times: with ``value``, and with what the file holds.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    make(Change(property: nil, apply: change))
  }

  /// Saves all changes, reads the value again, and waits for both.
  ///
  /// Call it before the app ends, and after a failure whose reason is gone, such as a locked key.
  ///
  /// - Throws: ``KeepsakeError``, as ``SealedValueStore/update(_:)-10wb2`` does.
  public func synchronize() async throws(KeepsakeError) {
    // A save that has begun before this call may lack the last changes.
    await worker?.value
    start()
    await worker?.value
    if let failure { throw failure }
  }
}

extension SealedSettings {
  private func make(_ change: Change) {
    var changed = value
    change.apply(&changed)
    value = changed
    // The last of several values of one property is enough.
    if let property = change.property, pending.last?.property == property { pending.removeLast() }
    pending.append(change)
    if !hasUnsavedChanges { hasUnsavedChanges = true }
    start()
  }

  private func watchFile() throws(KeepsakeError) {
    guard watch == nil else { return }
    watch = try KeepsakeError.access { () throws(FileError) in
      try FileWatch(of: store.path) { [weak self] in
        Task { @MainActor [weak self] in
          self?.isOutdated = true
          self?.start()
        }
      }
    }
  }

  /// Starts to save and to read, unless that is under way.
  private func start() {
    guard worker == nil else { return }
    worker = Task { await run() }
  }

  private func run() async {
    repeat {
      isOutdated = false
      let changes = pending
      pending = []
      do throws(KeepsakeError) {
        try watchFile()
        try await write(changes)
      } catch {
        pending = changes + pending
        report(error)
        break
      }
    } while !pending.isEmpty || isOutdated
    worker = nil
  }

  /// Saves changes, if there are any, and adopts what the file then holds.
  private func write(_ changes: [Change]) async throws(KeepsakeError) {
    let functions = changes.map(\.apply)
    var current: Value
    if functions.isEmpty {
      current = try await store.load()
    } else {
      current = try await store.update { value in
        for function in functions { function(&value) }
      }
    }
    if failure != nil { failure = nil }
    if hasUnsavedChanges == pending.isEmpty { hasUnsavedChanges = !pending.isEmpty }
    for change in pending { change.apply(&current) }
    // A view is not drawn again for a value that it has already.
    if !isEqual(current, value) { value = current }
  }

  private func report(_ error: KeepsakeError) {
    failure = error
    onFailure(error)
  }
}

/// Whether two values are equal; false for values that cannot be compared.
private func isEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  func compare<Kind: Equatable>(_ one: Kind) -> Bool { one == other as? Kind }
  guard let one = one as? any Equatable else { return false }
  return compare(one)
}
