import KeepsakeArchive
public import KeepsakeRestoration

/// Controllers side by side: a primary one, a secondary one, and perhaps a third.
///
/// Its children are the columns that have a controller, the primary one first. Their order tells them apart, so they
/// may share an identifier. When a column is not restored, the column that the app has built stays. If the app has
/// built none, its place stays empty.
@MainActor
open class HeadlessSplitController: HeadlessViewController {
  /// A place in a split controller.
  public enum Column: Int, CaseIterable, Sendable {
    /// The first column.
    case primary
    /// The second column.
    case secondary
    /// The third column, which most split controllers do not have.
    case tertiary
  }

  private var controllers: [HeadlessViewController?] = Column.allCases.map { _ in nil }

  /// True when the primary column is hidden.
  open var isPrimaryHidden = false

  /// Creates a split controller.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - columns: Two or three columns, the primary one first; further ones are ignored.
  public init(restorationIdentifier: String? = nil, columns: [HeadlessViewController] = []) {
    super.init(restorationIdentifier: restorationIdentifier)
    for (column, controller) in zip(Column.allCases, columns) {
      controllers[column.rawValue] = controller
    }
    setChildren(controllers.compactMap { $0 })
  }

  /// The controller of a column, or `nil` when the column is empty.
  public subscript(column: Column) -> HeadlessViewController? {
    get { controllers[column.rawValue] }
    set {
      controllers[column.rawValue] = newValue
      setChildren(controllers.compactMap { $0 })
    }
  }

  /// Columns may share an identifier.
  open override var disambiguatesRestorationChildren: Bool { true }

  /// The columns, without a primary one that is hidden.
  open override var restorationVisibleChildren: [any RestorableNode] {
    children.filter { !isPrimaryHidden || $0 !== self[.primary] }
  }

  /// Writes a reference to the controller of each column, and whether the primary column is hidden.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("SplitController") { coder in
      coder.encode(isPrimaryHidden, forKey: "isPrimaryHidden")
      for column in Column.allCases {
        guard let controller = self[column] else { continue }
        coder.encodeReference(controller.savedSelf, forKey: ArchiveKey("\(column)"))
      }
    }
  }

  /// Sets the restored controllers of the columns, and reads whether the primary column is hidden.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("SplitController")
    isPrimaryHidden = try state.decode(Bool.self, forKey: "isPrimaryHidden")
    for column in Column.allCases {
      let saved = try state.decodeReference(
        HeadlessViewController.self, forKey: ArchiveKey("\(column)"))
      guard let controller = saved, !children.contains(where: { $0 === controller }) else {
        continue
      }
      self[column] = controller
    }
  }
}
