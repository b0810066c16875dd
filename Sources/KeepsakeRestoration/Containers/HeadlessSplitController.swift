import KeepsakeArchive

/// Controllers side by side: a primary one, a secondary one, and perhaps a third.
///
/// The columns are told apart by their order and may share an identifier. A column that is not restored
/// leaves the one that the app has built.
@MainActor
open class HeadlessSplitController: HeadlessViewController {
  /// The columns, the primary one first.
  public var columns: [HeadlessViewController] { children }

  /// Whether the primary column is hidden.
  open var isPrimaryHidden = false

  /// Creates a split controller.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - columns: Two or three columns, the primary one first; further ones are not put back.
  public init(restorationIdentifier: String? = nil, columns: [HeadlessViewController] = []) {
    super.init(restorationIdentifier: restorationIdentifier)
    setChildren(columns)
  }

  /// Columns may share an identifier.
  open override var disambiguatesRestorationChildren: Bool { true }

  /// Writes references to the columns by their places, and whether the primary one is hidden.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("SplitController") { coder in
      coder.encode(isPrimaryHidden, forKey: "isPrimaryHidden")
      for (key, column) in zip(Self.columnKeys, columns) {
        coder.encode(reference: column.savedSelf, forKey: key)
      }
    }
  }

  /// Puts restored columns in their places, and reads whether the primary one is hidden.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("SplitController")
    isPrimaryHidden = try state.decode(Bool.self, forKey: "isPrimaryHidden")
    var columns = columns
    for (position, key) in Self.columnKeys.enumerated() {
      let saved = try state.decodeReference(HeadlessViewController.self, forKey: key)
      guard let column = saved, !columns.contains(where: { $0 === column }) else { continue }
      if position < columns.count { columns[position] = column } else { columns.append(column) }
    }
    setChildren(columns)
  }

  private static let columnKeys: [ArchiveKey] = ["primary", "secondary", "tertiary"]
}
