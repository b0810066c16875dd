// The parts of `writeObject`, for an engine whose coder holds the writer from the first object to the
// last: an encoder passed to a coder for each object would be moved there and back each time.

/// An object that has begun and not ended.
package struct OpenObject {
  let record: ArchiveWriter.OpenRecord
}

extension ArchiveWriter {
  /// Begins an object, as ``writeObject(_:typeName:schemaVersion:template:_:)`` does.
  ///
  /// Its values go through the writer's encoder; then it is ended or dropped, before the next one
  /// begins.
  package mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, template: String?
  ) throws(ArchiveError) -> OpenObject {
    try checkOrder(of: id)
    let record = try beginObject(typeName: typeName, schemaVersion: 0)
    if let template { encoder.encodeReserved(template, .template) }
    return OpenObject(record: record)
  }

  /// Ends an object; when it cannot be stored, nothing of it is written.
  package mutating func endObject(_ object: OpenObject) throws(ArchiveError) {
    try endRecord(object.record)
  }

  /// Takes back what was written since an object began; its id may be used again.
  package mutating func dropObject(_ object: OpenObject) {
    encoder.dropObject(at: object.record.start, since: object.record.mark)
  }
}

extension ObjectEncoder {
  /// Opens a scope, and returns the one to go back to.
  ///
  /// It is nil, with the error kept, when scopes would be nested too deep.
  package mutating func enterScope(_ name: String) -> Int32? {
    let outer = frame.scope
    let inner = plan.scope(named: name, in: outer)
    if plan.scopes[Int(inner)].depth > limits.nestingDepth {
      fail(ArchiveError(nesting: "scopes", limits), under: name)
      return nil
    }
    frame.scope = inner
    return outer
  }

  /// Goes back to a scope.
  @inlinable
  package mutating func leaveScope(to outer: Int32) {
    frame.scope = outer
  }

  /// The scope that keys are written in.
  @inlinable
  package var scope: Int32 {
    @inline(__always)
    get { frame.scope }
  }

  /// Opens scopes, the outermost first.
  package mutating func enter(scopes: [String]) {
    for name in scopes {
      guard enterScope(name) != nil else { return }
    }
  }
}

// Lists of values, one object for each.

extension ArchiveWriter {
  /// Writes values one after the other, each as an object of its own.
  ///
  /// The fastest way to write a list: nothing is copied or called between a value and its record.
  /// The objects get the ids from ``nextObjectID`` on. Read them with
  /// ``Archive/decodeObjects(_:)``.
  ///
  /// ```swift
  /// var writer = ArchiveWriter()
  /// try writer.writeObjects(entries, typeName: "Entry")
  /// let bytes = try writer.finish(root: ArchiveObjectID(1))
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values; none writes nothing.
  ///   - typeName: The stable name of the objects' type; not empty. There is no default, since a value
  ///     type needs no name of its own where it is nested in an object.
  ///   - schemaVersion: The version of the type's set of keys.
  /// - Throws: ``ArchiveError`` for a key written twice, a reserved key or an exceeded limit; the
  ///   values before stay written.
  @inlinable
  public mutating func writeObjects<Value: ArchiveRecord>(
    _ values: [Value], typeName: String, schemaVersion: UInt32 = Value.archiveSchemaVersion
  ) throws(ArchiveError) {
    try values.forEachInPlace { value throws(ArchiveError) in
      let record = try beginObject(typeName: typeName, schemaVersion: schemaVersion)
      value.encode(with: &encoder)
      try endRecord(record)
    }
  }
}
