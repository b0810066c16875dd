extension ObjectEncoder {
  /// Stores a reference to an object, which is then written too.
  ///
  /// It works in the coders that ``Archive/encode(_:reserved:limits:)`` hands out.
  ///
  /// - Parameters:
  ///   - object: The object, or nil for none.
  ///   - key: A key that this scope of the object has not used yet.
  public mutating func encodeReference(_ object: (any ArchivableObject)?, forKey key: ArchiveKey) {
    encode(reference(to: object, for: key), forKey: key)
  }

  /// Stores references to objects in their order.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - key: A key that this scope of the object has not used yet.
  public mutating func encodeReferences(_ objects: [any ArchivableObject], forKey key: ArchiveKey) {
    if key.isReserved { failReserved(key) }
    let place = ArchivePlace.key(key)
    guard enterDepth(at: place) else { return encodeNil(tag: .array, at: place) }
    if objects.isEmpty { return encodeNoElements(at: place) }
    let outer = beginElements(count: objects.count, at: place)
    for object in objects {
      encodeReference(reference(to: object, for: key).objectID, at: .element)
    }
    endElements(outer, at: place)
  }

  /// Stores a reference to an object that is stored only if another reference leads to it.
  ///
  /// Use it for the reference back to a parent or an owner: it is read as nil when no other reference led to the
  /// object.
  ///
  /// - Parameters:
  ///   - object: The object, or nil for none.
  ///   - key: A key that this scope of the object has not used yet.
  public mutating func encodeConditionalReference(
    _ object: (any ArchivableObject)?, forKey key: ArchiveKey
  ) {
    var number: UInt32 = 0
    if let object {
      if let known = graph?.conditionalNumber(of: object) {
        number = known
      } else {
        failOutsideGraph(key)
      }
    }
    encode(ArchiveConditionalReference(number), forKey: key)
  }

  private mutating func reference(
    to object: (any ArchivableObject)?, for key: ArchiveKey
  ) -> ArchiveReference {
    guard let object else { return ArchiveReference(nil) }
    guard let id = graph?.id(of: object) else {
      failOutsideGraph(key)
      return ArchiveReference(nil)
    }
    return ArchiveReference(id)
  }

  private mutating func failOutsideGraph(_ key: ArchiveKey) {
    fail(
      .outsideGraph, "an object was encoded by a coder that serves no object graph",
      under: key.description)
  }
}

// Graphs of objects that keep their identity (Spec/archive.md, 4.4).

extension ArchiveWriter {
  /// Writes an object and all objects that it leads to.
  ///
  /// Several graphs may be written one after the other. Identity is kept within each: an object in two of them is
  /// stored twice, and is released with the graph that it was written in.
  ///
  /// - Parameter root: The object to start from.
  /// - Returns: The id of the object; those that it leads to have the ids after it.
  /// - Throws: ``ArchiveError`` when an object writes a key twice, a reserved key, or more than the
  ///   limits allow. The archive then cannot be completed, since a part of the graph is missing.
  /// - Complexity: In proportion to the objects and their values; no recursion from object to object.
  @discardableResult
  public mutating func writeGraph(_ root: some ArchivableObject) throws -> ArchiveObjectID {
    try writeGraph(root) { _ in }
  }

  /// Writes a graph, and calls a closure after each of its objects.
  mutating func writeGraph(
    _ root: any ArchivableObject, afterEach body: (inout ArchiveWriter) throws -> Void
  ) throws -> ArchiveObjectID {
    var graph = GraphEncoding(firstID: nextObjectID, conditionalStart: conditionalObjects.count)
    let rootID = graph.id(of: root)
    encoder.graph = graph
    defer { encoder.graph = nil }
    do {
      var index = 0
      while let object = encoder.graph?.object(at: index) {
        let type = Swift.type(of: object)
        try writeObject(
          nextObjectID, typeName: type.archiveTypeName, schemaVersion: type.archiveSchemaVersion,
          template: object.archiveTemplate
        ) { coder in object.encode(with: &coder) }
        index += 1
        try body(&self)
      }
    } catch {
      if failure == nil {
        failure =
          error as? ArchiveError
          ?? ArchiveError(.unwrittenReference, "a graph of objects was not written to its end")
      }
      throw error
    }
    conditionalObjects += encoder.graph?.conditionalIDs ?? []
    return rootID
  }
}

extension Archive {
  /// Writes an object and all objects that it leads to.
  ///
  /// - Parameters:
  ///   - root: The object to start from.
  ///   - reserved: The archive's facts about itself: its program, its time and its interface.
  ///   - limits: How large the archive and its parts may become.
  /// - Returns: The bytes of the archive; the same graph always gives the same bytes.
  /// - Throws: ``ArchiveError`` when an object writes a key twice, a reserved key, or more than the
  ///   limits allow.
  /// - Complexity: In proportion to the objects and their values; no recursion from object to object.
  public static func encode(
    _ root: some ArchivableObject, reserved: ReservedValues = ReservedValues(),
    limits: ArchiveLimits = .default
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved, limits: limits)
    let rootID = try writer.writeGraph(root)
    return try writer.finish(root: rootID)
  }
}
