/// The elements of a stored array, the members of a set, or the entries of a dictionary.
///
/// They are used like an array, and made from one. A container that was read and has many more values than bytes, such
/// as an array of truth values, keeps the bytes of the archive, and decodes an element at each access. Its first change
/// decodes all elements.
public struct DynamicElements<Element: Hashable & Sendable>: Hashable, Sendable {
  private var content: LazyElements<Element>

  /// Makes the elements of a container.
  public init(_ elements: [Element]) { content = .made(elements) }

  init(_ stored: any StoredSequence<Element>) { content = .stored(stored) }

  /// The elements; nil while they are kept in their stored form.
  var madeElements: [Element]? {
    if case .made(let elements) = content { elements } else { nil }
  }
}

/// The elements of an array, or the members of a set.
public typealias DynamicValues = DynamicElements<DynamicValue>

/// The entries of a dictionary.
public typealias DynamicEntries = DynamicElements<DynamicEntry>

extension DynamicElements: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes an empty container.
  public init() { self.init([]) }

  /// The index of the first element: 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { content.count }

  /// One element; the index has to be smaller than the number of elements.
  public subscript(index: Int) -> Element {
    get { content[index] }
    _modify { yield &content[index] }
  }

  /// Replaces the elements at some indices by others.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<Element>
  ) {
    content.change { $0.replaceSubrange(range, with: newElements) }
  }
}

extension DynamicValue {
  /// Makes an array of values.
  public static func array(_ elements: [DynamicValue]) -> DynamicValue {
    .array(DynamicValues(elements))
  }

  /// Makes a set of distinct values.
  public static func set(_ members: [DynamicValue]) -> DynamicValue {
    .set(DynamicValues(members))
  }

  /// Makes a dictionary of values under keys that are values.
  public static func dictionary(_ entries: [DynamicEntry]) -> DynamicValue {
    .dictionary(DynamicEntries(entries))
  }
}
