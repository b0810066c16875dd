extension ArchiveStorage {
  /// Reads the whole archive once, segment by segment (Spec/archive.md, 7.4).
  ///
  /// - Returns: True when there is a value of an unknown kind.
  package func checkForDamage() throws(ArchiveError) -> Bool {
    var segments = SegmentVerification(self)
    var offset = frame.valuesEnd
    for index in 0..<frame.segmentCount {
      let segment = try self.segment(index)
      guard segment.row.offset == offset else {
        throw ArchiveError(
          .damaged, "segment \(index) does not follow the one before it",
          offset: segment.row.offset)
      }
      try segment.checkLength(limits)
      offset = try segments.verify(
        segment, isLast: index == frame.segmentCount - 1,
        in: try part(offset..<segment.limit))
    }
    guard offset == frame.footerOffset else {
      throw ArchiveError(
        .damaged, "the last segment does not end where the footer begins", offset: offset)
    }
    for number in 0..<frame.conditionalCount {
      _ = try conditionalObject(UInt32(number + 1))
    }
    return segments.records.hasUnknown
  }
}
