import KeepsakeArchive

// Encoding and decoding of saved properties.
extension SavedProperties {
  /// Finds the objects of an application that were created since the last save, the delegate included, and reports a
  /// change if a property of one of them was set.
  func find(in delegate: any RestorationDelegate, _ registered: [any RestorableObject]) {
    hasNewChanges = false
    var seen: Set<ObjectIdentifier> = []
    var pending = delegate.restorationWindows.compactMap(\.restorationRootNode)
    findProperties(of: delegate)
    for object in registered { findProperties(of: object) }
    while let node = pending.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      findProperties(of: node)
      for view in node.restorationViews { findProperties(of: view) }
      pending += node.nodesBelow
    }
    if hasNewChanges { changes.note() }
  }

  private func findProperties(of object: AnyObject) {
    if let layout = layout(of: object) { _ = properties(of: object, layout) }
  }

  /// Writes the saved properties of an object, and returns the keys of those that fail, each with its error.
  func encode(
    _ object: AnyObject, _ layout: Layout, with coder: inout RestorationEncoder
  ) throws -> [(key: ArchiveKey, error: any Error)] {
    var properties = properties(of: object, layout)[...]
    var failures: [(key: ArchiveKey, error: any Error)] = []
    for level in layout.levels {
      let own = zip(level.keys, properties)
      properties = properties.dropFirst(level.keys.count)
      func encodeOwn(with coder: inout RestorationEncoder) {
        for (key, property) in own {
          do { try property.encode(with: &coder, forKey: key) } catch {
            failures.append((key, error))
          }
        }
      }
      if level.depth == 0 {
        encodeOwn(with: &coder)
      } else if StableName.isStable(level.typeName) {
        try coder.withScope(level.typeName) { encodeOwn(with: &$0) }
      } else {
        let error = UnstableSuperclass(name: level.typeName)
        failures += level.keys.map { ($0, error) }
      }
    }
    return failures
  }

  /// Reads the saved properties of an object; those without a value, or with a wrong one, stay unchanged.
  func decode(
    _ object: AnyObject, _ layout: Layout, with coder: borrowing RestorationDecoder
  ) {
    var properties = properties(of: object, layout)[...]
    let topDepth = layout.topDepth(ofRecordNamed: coder.values.typeName)
    for level in layout.levels {
      let own = zip(level.keys, properties)
      properties = properties.dropFirst(level.keys.count)
      let names = layout.classNames[level.depth][...]
      var missing =
        level.depth == topDepth
        ? Self.decode(own, with: coder) : Self.decode(own, with: coder.scope(level.typeName))
      // The first of the names is the present one.
      for name in level.depth == topDepth ? names : names.dropFirst() where !missing.isEmpty {
        missing = Self.decode(missing, with: coder.scope(name))
      }
      if level.depth != topDepth, !missing.isEmpty {
        reportFormerName(missing.map(\.0), of: level, layout, with: coder)
      }
    }
  }

  /// Reads the properties that have a value in a scope, and returns those without a value.
  private static func decode(
    _ properties: some Sequence<(ArchiveKey, SavedProperty)>,
    with coder: borrowing RestorationDecoder
  ) -> [(ArchiveKey, SavedProperty)] {
    var missing: [(ArchiveKey, SavedProperty)] = []
    for (key, property) in properties {
      do {
        guard try coder.isPresent(key) else {
          missing.append((key, property))
          continue
        }
        try property.decode(with: coder, forKey: key)
      } catch {
        coder.reportUnread(key, error)
      }
    }
    return missing
  }

  /// Reports properties of a superclass that were saved under a name that no class of the object has.
  private func reportFormerName(
    _ keys: [ArchiveKey], of level: Level, _ layout: Layout,
    with coder: borrowing RestorationDecoder
  ) {
    // Default names of types contain a period; the scopes of apps usually do not.
    for name in coder.values.scopeNames where name.contains(".") {
      if layout.isOfClass(scopeNamed: name) { continue }
      let former = coder.values.scope(name)
      for key in keys where former.contains(key) {
        coder.reportUnread(key, FormerName(name: name, present: level.typeName))
      }
    }
  }
}

/// The reason why a property of a superclass is not written.
private struct UnstableSuperclass: Error, CustomStringConvertible {
  let name: String

  var description: String {
    "the class \(StableName.shown(name)), which declares it, is private, local or generic over such a type, and so "
      + "has another name in every process; give it a restorationTypeName."
  }
}

/// The reason why a property of a superclass is not read.
private struct FormerName: Error, CustomStringConvertible {
  let name: String
  let present: String

  var description: String {
    "it was saved as a property of \(name), and is declared by \(present) today. If the class was renamed or moved, "
      + "register \(name) as its alias with the RestorationRegistry."
  }
}
