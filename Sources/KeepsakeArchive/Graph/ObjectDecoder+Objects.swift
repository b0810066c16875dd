extension ObjectDecoder {
  /// Reads a reference to an object.
  ///
  /// Works in `decode(from:)` of an object that ``Archive/decodeRoot(_:registry:)`` reads. The
  /// object may still be a shell: keep it, and use it when the graph is complete.
  ///
  /// - Parameters:
  ///   - type: The class of the object, or a superclass.
  ///   - key: The key.
  /// - Returns: The object, or nil when the stored reference is empty.
  /// - Throws: ``ArchiveError`` when the key is absent, no reference is stored, or the object is of
  ///   another type or one that is not registered.
  @inlinable
  public func decodeReference<T: ArchivableObject>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    guard let id = try decode(ArchiveReference.self, forKey: key).objectID, !isAbandoned else {
      return nil
    }
    return try object(id, type, key)
  }

  /// True when reading the graph failed; every reference then gives no object, so that objects release each other.
  @usableFromInline
  var isAbandoned: Bool { graph.map { graph in graph.with { $0.isAbandoned } } ?? false }

  /// Reads references to objects.
  ///
  /// - Parameters:
  ///   - type: The class of the objects, or a superclass.
  ///   - key: The key.
  /// - Returns: The objects in their order.
  /// - Throws: ``ArchiveError`` as ``decodeReference(_:forKey:)`` does, and when one of the references is empty.
  @inlinable
  public func decodeReferences<T: ArchivableObject>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> [T] {
    let references = try objectReferences(forKey: key)
    var objects: [T] = []
    objects.reserveCapacity(references.count)
    for reference in references {
      if let id = reference.objectID { objects.append(try object(id, type, key)) }
    }
    return objects
  }

  /// Reads a reference into a property of an object that is being made or filled.
  ///
  /// It lets a class that reads everything in its initialiser refer to other objects, also in cycles. The property is
  /// assigned when its object exists. Such a class needs no `decode(from:)`.
  ///
  /// ```swift
  /// init(forArchive coder: borrowing ObjectDecoder) throws {
  ///   name = try coder.decode(forKey: "name")
  ///   try coder.decodeReference(
  ///     forKey: "partner", into: self, \.partner)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key; an empty reference leaves the property as it is.
  ///   - owner: The object with the property.
  ///   - property: The property to assign.
  /// - Throws: ``ArchiveError`` when the key is absent or no reference is stored. When the
  ///   object has another type, the reading of the whole graph fails.
  public func decodeReference<Owner: AnyObject, T: ArchivableObject>(
    forKey key: ArchiveKey, into owner: Owner, _ property: ReferenceWritableKeyPath<Owner, T?>
  ) throws(ArchiveError) {
    guard let id = try decode(ArchiveReference.self, forKey: key).objectID else { return }
    guard let graph = graph?.object else { throw located(ObjectDecoder.outsideGraph, key) }
    let place = located(ArchiveError(.typeNotAllowed, ""), key)
    if graph.isAbandoned { return owner[keyPath: property] = nil }
    graph.assignLater(id) { object throws(ArchiveError) in
      guard let object else { return owner[keyPath: property] = nil }
      do throws(ArchiveError) {
        owner[keyPath: property] = try GraphDecoding.require(T.self, object, id)
      } catch {
        var error = error
        error.keyPath = place.keyPath
        error.objectID = place.objectID
        throw error
      }
    }
  }

  private static var outsideGraph: ArchiveError {
    ArchiveError(.outsideGraph, "an object was decoded by a coder that serves no object graph")
  }

  /// The references in an array; throws when one of them is empty.
  @usableFromInline
  func objectReferences(
    forKey key: ArchiveKey
  ) throws(ArchiveError) -> [ArchiveReference] {
    if isAbandoned { return [] }
    let references = try decode([ArchiveReference].self, forKey: key)
    for reference in references where reference.objectID == nil {
      throw located(
        ArchiveError(.nullValue, "one of the references refers to no object"), key)
    }
    return references
  }

  @inlinable
  func object<T: ArchivableObject>(
    _ id: ArchiveObjectID, _ type: T.Type, _ key: ArchiveKey
  ) throws(ArchiveError) -> T {
    let object = try anyObject(id, key)
    if let typed = object as? T { return typed }
    throw wrongType(type, object, id, key)
  }

  /// The object of an id: the one that exists, or a new shell.
  @usableFromInline
  func anyObject(
    _ id: ArchiveObjectID, _ key: ArchiveKey
  ) throws(ArchiveError) -> any ArchivableObject {
    do {
      guard let graph else { throw ObjectDecoder.outsideGraph }
      return try graph.with { graph in
        guard !graph.isMakingShell else {
          throw ArchiveError(
            .outsideGraph, "an object was asked for while another one was being created")
        }
        return try graph.object(id)
      }
    } catch let error as ArchiveError {
      throw ofOtherObject(error, key)
    } catch {
      throw located(
        ArchiveError(.invalidValue, "object \(id) could not be created: \(error)"), key)
    }
  }

  /// The error for an object that is not of the requested type.
  @usableFromInline
  func wrongType<T: ArchivableObject>(
    _ type: T.Type, _ object: any ArchivableObject, _ id: ArchiveObjectID, _ key: ArchiveKey
  ) -> ArchiveError {
    ofOtherObject(GraphDecoding.wrongType(type, object, id), key)
  }

  /// Adds the key to an error; an error inside another object keeps the id and the key path of that object.
  private func ofOtherObject(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    guard error.objectID != nil else { return located(error, key) }
    var error = error
    error.isOfOtherObject = true
    return error
  }
}
