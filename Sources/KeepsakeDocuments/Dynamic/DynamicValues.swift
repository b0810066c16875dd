/// The elements of a stored array, or the members of a set.
///
/// It is used like an array of ``DynamicValue``, and made from one. An array that was read and has many more values
/// than bytes, such as one of truth values, is kept as the bytes of the archive, and makes an element when it is asked
/// for. Its first change makes all elements.
public struct DynamicValues: Sendable {
  fileprivate enum Content: Sendable {
    case made([DynamicValue])
    case stored(StoredArray)
  }

  fileprivate var content: Content

  /// Makes the elements of an array or a set.
  ///
  /// - Parameter elements: The elements.
  public init(_ elements: [DynamicValue]) { content = .made(elements) }

  init(_ stored: StoredArray) { content = .stored(stored) }

  /// The elements, unless they are kept as bytes.
  var madeElements: [DynamicValue]? {
    if case .made(let elements) = content { elements } else { nil }
  }

  /// All elements at once; those that are kept as bytes are made.
  private var elements: [DynamicValue] {
    switch content {
    case .made(let elements): elements
    case .stored(let stored): (0..<stored.count).map { stored[$0] }
    }
  }

  /// Changes the elements in place.
  private mutating func change<Result>(_ body: (inout [DynamicValue]) -> Result) -> Result {
    var elements = elements
    // While the elements are changed nothing else may hold them, or each change would copy them.
    content = .made([])
    defer { content = .made(elements) }
    return body(&elements)
  }
}

extension DynamicValues: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes no elements.
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

  /// One element.
  ///
  /// - Parameter index: The index, which has to be smaller than the number of elements.
  public subscript(index: Int) -> DynamicValue {
    get {
      switch content {
      case .made(let elements): elements[index]
      case .stored(let stored): stored[index]
      }
    }
    _modify {
      var elements = elements
      content = .made([])
      defer { content = .made(elements) }
      yield &elements[index]
    }
  }

  /// Puts other elements in the place of some.
  ///
  /// - Parameters:
  ///   - range: The indices of the elements that are removed.
  ///   - newElements: The elements that are put there.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<DynamicValue>
  ) {
    change { $0.replaceSubrange(range, with: newElements) }
  }

  /// Adds an element after the others.
  ///
  /// - Parameter element: The element.
  public mutating func append(_ element: DynamicValue) {
    change { $0.append(element) }
  }

  /// Reserves memory for a number of elements.
  ///
  /// - Parameter capacity: The number of elements.
  public mutating func reserveCapacity(_ capacity: Int) {
    change { $0.reserveCapacity(capacity) }
  }
}

extension DynamicValues: ExpressibleByArrayLiteral {
  /// Makes the elements from a literal.
  ///
  /// - Parameter elements: The elements.
  public init(arrayLiteral elements: DynamicValue...) { self.init(elements) }
}

extension DynamicValues: Hashable {
  /// Whether both have the same elements in the same order.
  public static func == (left: DynamicValues, right: DynamicValues) -> Bool {
    if case .made(let one) = left.content, case .made(let other) = right.content {
      return one == other
    }
    return left.elementsEqual(right)
  }

  /// Feeds the elements to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

/// The entries of a stored dictionary.
///
/// It is used like an array of ``DynamicEntry``, and made from one. A dictionary that was read may be kept as the bytes
/// of the archive, as ``DynamicValues`` says.
public struct DynamicEntries: Sendable {
  private enum Content: Sendable {
    case made([DynamicEntry])
    case stored(keys: StoredArray, values: StoredArray)
  }

  private var content: Content

  /// Makes the entries of a dictionary.
  ///
  /// - Parameter entries: The entries.
  public init(_ entries: [DynamicEntry]) { content = .made(entries) }

  init(keys: StoredArray, values: StoredArray) { content = .stored(keys: keys, values: values) }

  /// All entries at once; those that are kept as bytes are made.
  private var made: [DynamicEntry] {
    if case .made(let entries) = content { entries } else { Array(self) }
  }
}

extension DynamicEntries: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Makes no entries.
  public init() { self.init([]) }

  /// The index of the first entry: 0.
  public var startIndex: Int { 0 }

  /// The number of entries.
  public var endIndex: Int {
    switch content {
    case .made(let entries): entries.count
    case .stored(let keys, _): keys.count
    }
  }

  /// One entry.
  ///
  /// - Parameter index: The index, which has to be smaller than the number of entries.
  public subscript(index: Int) -> DynamicEntry {
    get {
      switch content {
      case .made(let entries): entries[index]
      case .stored(let keys, let values): DynamicEntry(key: keys[index], value: values[index])
      }
    }
    _modify {
      var entries = made
      content = .made([])
      defer { content = .made(entries) }
      yield &entries[index]
    }
  }

  /// Puts other entries in the place of some.
  ///
  /// - Parameters:
  ///   - range: The indices of the entries that are removed.
  ///   - newElements: The entries that are put there.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<DynamicEntry>
  ) {
    var entries = made
    // While the entries are changed nothing else may hold them, or each change would copy them.
    content = .made([])
    entries.replaceSubrange(range, with: newElements)
    content = .made(entries)
  }
}

extension DynamicEntries: ExpressibleByArrayLiteral {
  /// Makes the entries from a literal.
  ///
  /// - Parameter elements: The entries.
  public init(arrayLiteral elements: DynamicEntry...) { self.init(elements) }
}

extension DynamicEntries: Hashable {
  /// Whether both have the same entries in the same order.
  public static func == (left: DynamicEntries, right: DynamicEntries) -> Bool {
    if case .made(let one) = left.content, case .made(let other) = right.content {
      return one == other
    }
    return left.elementsEqual(right)
  }

  /// Feeds the entries to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for entry in self { hasher.combine(entry) }
  }
}

extension DynamicValue {
  /// Makes a sequence of values.
  ///
  /// - Parameter elements: The values.
  /// - Returns: An array.
  public static func array(_ elements: [DynamicValue]) -> DynamicValue {
    .array(DynamicValues(elements))
  }

  /// Makes distinct values.
  ///
  /// - Parameter members: The values.
  /// - Returns: A set.
  public static func set(_ members: [DynamicValue]) -> DynamicValue {
    .set(DynamicValues(members))
  }

  /// Makes values under keys that are values.
  ///
  /// - Parameter entries: The entries.
  /// - Returns: A dictionary.
  public static func dictionary(_ entries: [DynamicEntry]) -> DynamicValue {
    .dictionary(DynamicEntries(entries))
  }
}
