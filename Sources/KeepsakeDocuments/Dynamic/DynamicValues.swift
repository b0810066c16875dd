/// The elements of a stored array, or the members of a set.
///
/// It is used like an array of ``DynamicValue``, and made from one. An array that was read and has many more values
/// than bytes, such as one of truth values, is kept as the bytes of the archive, and makes an element when it is asked
/// for. Its first change makes all elements.
public struct DynamicValues: Hashable, Sendable {
  private var content: LazyElements<StoredArray>

  /// Makes the elements of an array or a set.
  public init(_ elements: [DynamicValue]) { content = .made(elements) }

  init(_ stored: StoredArray) { content = .stored(stored) }

  /// The elements, unless they are kept as bytes.
  var madeElements: [DynamicValue]? {
    if case .made(let elements) = content { elements } else { nil }
  }
}

extension DynamicValues: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes no elements.
  public init() { self.init([]) }

  /// The index of the first element: 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { content.count }

  /// One element; the index has to be smaller than the number of elements.
  public subscript(index: Int) -> DynamicValue {
    get { content[index] }
    _modify { yield &content[index] }
  }

  /// Puts other elements in the place of those at some indices.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<DynamicValue>
  ) {
    content.change { $0.replaceSubrange(range, with: newElements) }
  }
}

extension DynamicValues: ExpressibleByArrayLiteral {
  /// Makes the elements from a literal.
  public init(arrayLiteral elements: DynamicValue...) { self.init(elements) }
}

/// The entries of a stored dictionary.
///
/// It is used like an array of ``DynamicEntry``, and made from one. A dictionary that was read may be kept as the bytes
/// of the archive, as ``DynamicValues`` says.
public struct DynamicEntries: Hashable, Sendable {
  private var content: LazyElements<StoredEntries>

  /// Makes the entries of a dictionary.
  public init(_ entries: [DynamicEntry]) { content = .made(entries) }

  init(_ stored: StoredEntries) { content = .stored(stored) }
}

extension DynamicEntries: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes no entries.
  public init() { self.init([]) }

  /// The index of the first entry: 0.
  public var startIndex: Int { 0 }

  /// The number of entries.
  public var endIndex: Int { content.count }

  /// One entry; the index has to be smaller than the number of entries.
  public subscript(index: Int) -> DynamicEntry {
    get { content[index] }
    _modify { yield &content[index] }
  }

  /// Puts other entries in the place of those at some indices.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<DynamicEntry>
  ) {
    content.change { $0.replaceSubrange(range, with: newElements) }
  }
}

extension DynamicEntries: ExpressibleByArrayLiteral {
  /// Makes the entries from a literal.
  public init(arrayLiteral elements: DynamicEntry...) { self.init(elements) }
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
