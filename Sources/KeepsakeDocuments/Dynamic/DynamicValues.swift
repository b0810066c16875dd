/// The elements of a stored array, the members of a set, or the entries of a dictionary.
///
/// They are used like an array, and made from one. A container that was read and has many more values than bytes, such
/// as an array of truth values, keeps the bytes of the archive, and decodes an element at each access. Its first change
/// decodes all elements.
public struct DynamicElements<Element: Hashable & Sendable>: Hashable, Sendable {
  private enum Content: Sendable {
    case made([Element])
    case stored(any StoredSequence<Element>)
  }

  private var content: Content

  package init(_ elements: [Element]) { content = .made(elements) }

  init(_ stored: any StoredSequence<Element>) { content = .stored(stored) }

  /// The elements; nil while they are kept in their stored form.
  var madeElements: [Element]? {
    if case .made(let elements) = content { elements } else { nil }
  }

  /// All elements; a change leaves them made.
  private var all: [Element] {
    get { madeElements ?? map { $0 } }
    _modify {
      var elements = madeElements ?? map { $0 }
      // While the elements are changed nothing else may hold them, or each change would copy them.
      content = .made([])
      defer { content = .made(elements) }
      yield &elements
    }
  }

  /// Whether both have the same elements in the same order.
  public static func == (left: DynamicElements, right: DynamicElements) -> Bool {
    if let one = left.madeElements, let other = right.madeElements { return one == other }
    return left.elementsEqual(right)
  }

  /// Feeds the elements to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
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
  public var endIndex: Int {
    switch content {
    case .made(let elements): elements.count
    case .stored(let stored): stored.count
    }
  }

  /// One element; the index has to be smaller than the number of elements.
  public subscript(index: Int) -> Element {
    get {
      switch content {
      case .made(let elements): elements[index]
      case .stored(let stored): stored[index]
      }
    }
    _modify { yield &all[index] }
  }

  /// Replaces the elements at some indices by others.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<Element>
  ) {
    all.replaceSubrange(range, with: newElements)
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
