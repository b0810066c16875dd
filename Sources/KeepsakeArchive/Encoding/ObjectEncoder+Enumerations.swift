// Enumerations and conditional references (Spec/archive.md, 5.4 and 4.5).

extension ObjectEncoder {
  /// Writes one case of an enumeration with the values of the case.
  ///
  /// For enumerations whose cases are known only when they are written; others conform to
  /// ``ArchiveEnumeration``.
  ///
  /// - Parameters:
  ///   - name: The stable name of the case.
  ///   - typeName: The stable name that inspectors show; may be empty.
  ///   - schemaVersion: The version of the set of cases and keys.
  ///   - place: Where the value belongs.
  ///   - body: Writes the values of the case.
  public mutating func encodeEnumeration(
    _ name: ArchiveKey, typeName: String = "", schemaVersion: UInt32 = 0, at place: ArchivePlace,
    _ body: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .enumeration, at: place) }
    let slot = beginPayload(tag: .enumeration, at: place)
    let outer = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    beginCase(name)
    body(&self)
    endRecord(outer)
    endPayload(slot: slot, at: place)
  }

  /// Names the case: the first step of the plan, which takes no room in the record.
  mutating func beginCase(_ name: ArchiveKey) {
    let next = Int(plan.nodes[frame.node].predicted)
    let node = plan.nodes[next]
    if node.signature == PlanNode.caseSignature, node.identity == StringIdentity(name.name) {
      frame.node = next
    } else {
      _ = unpredictedSlot(of: ArchiveKey(name.name), signature: PlanNode.caseSignature)
    }
  }

  mutating func encodeConditionalReference(_ number: UInt32, at place: ArchivePlace) {
    highestConditional = max(highestConditional, number)
    encodeFixed(number, tag: .conditionalReference, at: place)
  }
}
