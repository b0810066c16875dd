import KeepsakeArchive

extension EncodingNode {
  /// Writes the finished tree.
  ///
  /// The depth was limited while the tree was built, so that recursion is safe here. A value that
  /// encoded nothing is a record without keys.
  func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch content {
    case .value(let value): value.encode(to: &encoder, at: place)
    case .unkeyed: elements.map(Element.init).encode(to: &encoder, at: place)
    case .keyed, .empty:
      encoder.encodeRecord(at: place) { coder in
        for field in fields { coder.encode(Element(node: field.node), forKey: field.key) }
      }
    }
  }

  /// A node as the value that the archive takes.
  struct Element: ArchiveValue {
    let node: EncodingNode

    /// Nodes are never optional: nil is a value of a node.
    static var archiveTag: ArchiveTag { .record }

    func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
      node.encode(to: &encoder, at: place)
    }
  }
}
