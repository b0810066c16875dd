// Arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

extension ValueDecoder {
  /// The elements of a stored array, their extents checked.
  @usableFromInline
  func elements() throws(ArchiveError) -> StoredElements {
    try require(.array, for: "an array")
    try checkDepth()
    return try StoredElements(view, range)
  }

  /// The members of a stored set: an array in strictly increasing order.
  @usableFromInline
  func members() throws(ArchiveError) -> StoredElements {
    try require(.set, for: "a set")
    try checkDepth()
    return try SortedElements(view).members(range)
  }

  /// The keys and the values of a stored dictionary: two arrays, one behind the other.
  @usableFromInline
  func dictionaryEntries() throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    try require(.dictionary, for: "a dictionary")
    try checkDepth()
    return try SortedElements(view).entries(range)
  }

  /// One element of an array.
  @usableFromInline
  func element(_ index: Int, of elements: StoredElements) -> ValueDecoder {
    let tag = elements.tag(of: index, view)
    return ValueDecoder(
      tag: tag, isNil: elements.isNil(index, view), range: elements.range(of: index, tag, view),
      view: view, storage: storage, graph: graph, objectID: objectID, depth: depth + 1)
  }
}
