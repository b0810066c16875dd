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
/// The app saves the text itself, unless it is stored elsewhere.
public final class EntryView: WidgetView {
  /// The entry.
  public let entry: Entry

  /// Creates a view of an entry.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - entry: The entry.
  public init(_ restorationIdentifier: String?, _ entry: Entry) {
    self.entry = entry
    super.init(restorationIdentifier, widget: entry)
    entry.onChange { [weak self] in self?.noteChange() }
  }

  /// Writes the selected part.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encodeSelection(of: entry)
  }

  /// Reads the selected part; the text is already set.
  public override func decodeRestorableState(
    with coder: borrowing RestorationDecoder
  ) throws {
    try super.decodeRestorableState(with: coder)
    try coder.decodeSelection(of: entry)
  }
}

/// A long text as a view: the selected part, the cursor and the position.
public final class TextAreaView: ScrollView {
  private let textArea: TextArea

  /// Creates a view of a text area.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - textArea: The text area.
  public init(_ restorationIdentifier: String?, _ textArea: TextArea) {
    self.textArea = textArea
    super.init(restorationIdentifier, textArea)
    textArea.onChange { [weak self] in self?.noteChange() }
  }

  /// Writes the position and the selected part.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encodeSelection(of: textArea)
  }

  /// Reads the selected part; the text is already set.
  public override func decodeRestorableState(
    with coder: borrowing RestorationDecoder
  ) throws {
    try super.decodeRestorableState(with: coder)
    try coder.decodeSelection(of: textArea)
  }
}

extension RestorationEncoder {
  fileprivate mutating func encodeSelection(of text: some EditableText) {
    let range = text.selection
    encode([range.lowerBound, range.upperBound], forKey: "selection")
    encode(text.isCursorFirst, forKey: "isCursorFirst")
  }
}

extension RestorationDecoder {
  fileprivate func decodeSelection(of text: some EditableText) throws {
    let ends = try decode([Int].self, forKey: "selection")
    guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1] else { return }
    text.select(
      ends[0]..<ends[1], isCursorFirst: try decode(Bool.self, forKey: "isCursorFirst"))
  }
}
