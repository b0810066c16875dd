import KeepsakeArchive

/// One container of the tree that `Encodable` types build.
///
/// Containers of one value can be open at the same time and be filled in any order, so the tree is
/// made of references and becomes an archive at the end. Scalars lie in their container.
final class EncodingNode {
  enum Content {
    case empty
    case single
    case keyed
    case unkeyed
  }

  private(set) var content = Content.empty
  /// The values of a container, or the one of a value that encoded itself singly.
  private(set) var values: [StagedValue] = []
  /// The keys of a keyed container; one may be there twice, and then its last value holds.
  private var keys: [ArchiveKey] = []
  /// Finds keys in containers of many.
  private var positions: [ArchiveKey: Int] = [:]
  private let session: EncodingSession

  init(_ session: EncodingSession) {
    self.session = session
  }

  /// Makes the node a keyed or an unkeyed container.
  ///
  /// - Returns: False when it is something else already.
  func open(_ container: Content) -> Bool {
    if case .empty = content {
      content = container
      return true
    }
    return content == container
  }

  /// Gives an empty node its value.
  ///
  /// - Returns: False when it has one already.
  func set(_ value: StagedValue) -> Bool {
    guard content == .empty else { return false }
    content = .single
    values.append(value)
    return true
  }

  /// Puts a value under a key, in the place of one that is there already.
  func put(_ value: StagedValue, forKey key: String) {
    if keys.isEmpty {
      keys.reserveCapacity(8)
      values.reserveCapacity(8)
    }
    keys.append(ArchiveKey(key))
    values.append(value)
  }

  func append(_ value: StagedValue) {
    values.append(value)
  }

  /// The container under a key, if there is one.
  func node(forKey key: String) -> EncodingNode? {
    let key = ArchiveKey(key)
    // The last value of a key holds. Keys are put in a table once there are many.
    for index in keys.indices.dropFirst(positions.count).reversed() where keys[index] == key {
      return node(at: index)
    }
    if keys.count - positions.count > 16 {
      for index in positions.count..<keys.count { positions[keys[index]] = index }
    }
    return positions[key].flatMap { node(at: $0) }
  }

  private func node(at index: Int) -> EncodingNode? {
    if case .node(let node) = values[index] { node } else { nil }
  }
}

extension EncodingNode {
  /// Writes the finished tree.
  ///
  /// The depth was limited while the tree was built, so that recursion is safe here. A value that
  /// encoded nothing is a record without keys.
  func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch content {
    case .single: values[0].encode(to: &encoder, at: place)
    case .unkeyed: values.encode(to: &encoder, at: place)
    case .keyed, .empty:
      encoder.encodeRecord(at: place) { coder in
        for index in session.order(of: keys) { coder.encode(values[index], forKey: keys[index]) }
      }
    }
  }
}
