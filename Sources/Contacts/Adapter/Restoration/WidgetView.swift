public import Keepsake

/// A widget with state of its own, as a part of the node that owns it.
@MainActor
open class WidgetView: RestorableView {
  /// The stable name in archives: the name of the class.
  open class var restorationTypeName: String {
    String(reflecting: self)
  }
  /// Overrides have to call `super`.
  open class var requiresSuperclassCall: Bool { true }

  /// The identifier of this view; `nil` keeps its state out of the archive.
  open var restorationIdentifier: String?
  /// The widget.
  public let widget: Widget
  /// The node that owns this view.
  public internal(set) weak var node: WidgetNode?

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - widget: The widget.
  public init(_ restorationIdentifier: String?, widget: Widget) {
    self.restorationIdentifier = restorationIdentifier
    self.widget = widget
  }

  /// The node that owns this view.
  public var restorationParent: (any RestorableObject)? { node }

  /// Reports that the state of the widget has changed.
  public func noteChange() { node?.noteChange() }

  /// Writes nothing; subclasses write their state and call `super`.
  open func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Reads nothing; subclasses read their state and call `super`.
  open func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Does nothing; subclasses connect restored objects with each other.
  open func applicationFinishedRestoringState() {}
}

/// A line of text as a view: the selected part and the cursor.
///
/// The app saves the text itself, unless it is stored elsewhere. A restored selection waits for a text that arrives
/// after the restore, and is written in each save until then.
public final class EntryView: WidgetView {
  /// The entry.
  public let entry: Entry
  private let selection: TextSelection

  /// Creates a view of an entry.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - entry: The entry.
  public init(_ restorationIdentifier: String?, _ entry: Entry) {
    self.entry = entry
    selection = TextSelection(of: entry)
    super.init(restorationIdentifier, widget: entry)
    entry.onChange { [weak self] in
      self?.selection.textChanged()
      self?.noteChange()
    }
  }

  /// Writes the selected part.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    selection.encode(to: &coder)
  }

  /// Reads the selected part, and selects it when there is
  /// a text.
  public override func decodeRestorableState(
    with coder: borrowing RestorationDecoder
  ) throws {
    try super.decodeRestorableState(with: coder)
    try selection.decode(from: coder)
  }
}

/// A long text as a view: the selected part, the cursor and the position.
///
/// All of them wait for a text that arrives after the restore, and are written in each save until then.
public final class TextAreaView: ScrollView {
  private let selection: TextSelection

  /// Creates a view of a text area.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - textArea: The text area.
  public init(_ restorationIdentifier: String?, _ textArea: TextArea) {
    selection = TextSelection(of: textArea)
    super.init(restorationIdentifier, textArea)
    textArea.onChange { [weak self] in
      self?.selection.textChanged()
      self?.noteChange()
    }
  }

  /// Writes the position and the selected part.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    selection.encode(to: &coder)
  }

  /// Reads the position and the selected part, which wait for the text.
  public override func decodeRestorableState(
    with coder: borrowing RestorationDecoder
  ) throws {
    try super.decodeRestorableState(with: coder)
    try selection.decode(from: coder)
  }
}

/// The selected part of a text, and the one that a restore wants while there is no text yet.
@MainActor
private final class TextSelection {
  private typealias Part = (range: Range<Int>, isCursorFirst: Bool)

  private let text: any EditableText
  private var wanted: Part?

  init(of text: some EditableText) { self.text = text }

  /// Selects the wanted part in the first text that the program sets; drops it if the user types first.
  func textChanged() {
    guard let wanted, !text.text.isEmpty else { return }
    self.wanted = nil
    if text.isBeingSet { text.select(wanted.range, isCursorFirst: wanted.isCursorFirst) }
  }

  func encode(to coder: inout RestorationEncoder) {
    let part = wanted ?? (text.selection, text.isCursorFirst)
    coder.encode([part.range.lowerBound, part.range.upperBound], forKey: "selection")
    coder.encode(part.isCursorFirst, forKey: "isCursorFirst")
  }

  func decode(from coder: borrowing RestorationDecoder) throws {
    let ends = try coder.decode([Int].self, forKey: "selection")
    guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1] else { return }
    let part: Part = (ends[0]..<ends[1], try coder.decode(Bool.self, forKey: "isCursorFirst"))
    wanted = text.text.isEmpty ? part : nil
    text.select(part.range, isCursorFirst: part.isCursorFirst)
  }
}
