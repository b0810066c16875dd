/// The order of keys in a record (Spec/archive.md, 4.3): by scope, namespace and bytes, so that the
/// keys of one scope lie together.
enum KeyOrder {
  /// One step of a path: a scope, or the key that the path ends with.
  struct Step: Equatable {
    var space: KeySpace
    var name: ArchiveKey
  }

  static func path(scopes: [String], key: ArchiveKey) -> [Step] {
    scopes.map { Step(space: .scope, name: ArchiveKey($0)) } + [
      Step(space: key.isReserved ? .reserved : .user, name: ArchiveKey(key.name))
    ]
  }

  /// Paths are compared step by step; none is the beginning of another, since a key is no scope.
  static func precedes(_ left: [Step], _ right: [Step]) -> Bool {
    for (leftStep, rightStep) in zip(left, right) where leftStep != rightStep {
      if leftStep.space != rightStep.space {
        return leftStep.space.rawValue < rightStep.space.rawValue
      }
      return leftStep.name.name.bytesPrecede(rightStep.name.name)
    }
    return left.count < right.count
  }
}
