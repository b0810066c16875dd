// Shapes. A record gets one when the first record with the same steps is complete (Spec/archive.md, 5.4).

extension ObjectEncoder {
  /// Gives a shape to the open record, which is the first that ends at its step.
  ///
  /// False if records cannot be stored in its slots, since there are too many shapes (Spec/archive.md, 5.4).
  mutating func makeShape() -> Bool {
    if shapes.takeExpected(endingAt: frame.step, &plan) { return true }
    let steps = plan.steps(to: frame.step)
    var wordCount = steps.count
    for step in steps where plan.steps[step].signature.isInline { wordCount += 1 }
    if wordCount > limits.slotCount {
      // The plan has no more steps than a shape may have words.
      failLimit("a record has \(wordCount) keys", .slotCount, limits.slotCount)
      return true
    }
    shapes.beginShape()
    var enumerationCase = -1
    var declarations: [SlotDeclaration] = []
    declarations.reserveCapacity(steps.count)
    for step in steps {
      let signature = plan.steps[step].signature
      if signature.namesCase {
        let name = plan.keys[step].name
        check(name: name)
        enumerationCase = shapes.number(of: name, .enumerationCase)
        continue
      }
      let key = number(ofKeyAt: step)
      guard shapes.add(key) else {
        let names = plan.names(of: signature.scope) + [plan.keys[step].description]
        fail(
          .duplicateKey, "a key was encoded twice in one scope",
          under: names.joined(separator: "."))
        return true
      }
      var inlineShape = OptionalShape.none
      if signature.isInline {
        inlineShape = plan.steps[plan.lastStep(ofInline: signature.inlineRecord)].shape
      }
      declarations.append(
        SlotDeclaration(
          key: key, tag: signature.tag, isNullable: signature.isNullable,
          cell: inlineShape.rawValue, omitsNil: signature.omitsNil))
    }
    let type = plan.type(of: frame.step)
    check(name: type.name)
    let isMade = shapes.endShape(
      of: type, enumerationCase: enumerationCase, slots: declarations, endingAt: frame.step, &plan)
    if isMade { checkTableSizes() }
    return isMade
  }

  /// The number of a step's key, giving numbers to its scopes first.
  private mutating func number(ofKeyAt number: Int) -> UInt32 {
    let step = plan.steps[number]
    if let known = shapes.knownNumber(ofKeyAt: step) { return known }
    let key = plan.keys[number]
    var scope = KeyEntry.topScope
    for name in plan.names(of: step.signature.scope) {
      check(name: name)
      scope = shapes.number(of: name, .scope, in: scope)
    }
    check(name: key.name)
    return shapes.number(of: key, at: step, in: scope)
  }

  private mutating func check(name: String) {
    if name.utf8.count > min(limits.nameByteCount, NameLength.largest) {
      failLimit("a name has \(name.utf8.count) bytes", .nameByteCount, limits.nameByteCount)
    }
  }

  private mutating func checkTableSizes() {
    let counts = shapes.tables.counts
    let most = (
      keys: min(limits.keyCount, KeyEntry.largestCount),
      types: min(limits.typeCount, TypeEntry.largestCount),
      shapes: min(limits.shapeCount, ShapeEntry.largestCount)
    )
    if counts.keys > most.keys {
      failLimit("the archive has \(counts.keys) keys", .keyCount, limits.keyCount)
    }
    if counts.types > most.types {
      failLimit("the archive has \(counts.types) types", .typeCount, limits.typeCount)
    }
    if counts.shapes > most.shapes {
      failLimit("the archive has \(counts.shapes) shapes", .shapeCount, limits.shapeCount)
    }
  }

  mutating func failLimit(_ what: String, _ name: LimitName, _ limit: Int) {
    fail(ArchiveError(what, exceeds: name, of: limit))
  }

  /// Keeps the error of a record for which the plan takes no further step.
  @inline(never)
  mutating func failWordCount() {
    failLimit(
      "a record has too many keys (a nested record of a fixed width counts as two)",
      .slotCount, ShapeEntry.largestWordCount)
  }
}
