extension SavedPlayers {
  /// The size of the values with fixed-width numbers, eight bytes before each string and list, one before
  /// each optional and one for an enumeration, as the published size is counted.
  var fixedSize: Int { players.reduce(8) { $0 + $1.fixedSize } }

  /// The expected sum of a lazy reader of one enumeration of each player.
  var gameTypeSum: Int { players.reduce(0) { $0 + Int($1.gameType.rawValue) } }
}

extension SavedPlayer {
  fileprivate var fixedSize: Int {
    // In the order of the declaration; numbers of fixed width are summed up.
    1 + 1 + 8 + (8 + dimension.utf8.count) + 4 + selectedItem.fixedSize
      + 1 + (spawnDimension.map { 8 + $0.utf8.count } ?? 0) + 24
      + 1 + (spawnForced == nil ? 0 : 1) + 2 + 4 + 4 + 4 + 4 + 4 + 4 + 4
      + inventory.reduce(8) { $0 + $1.fixedSize } + enderItems.reduce(8) { $0 + $1.fixedSize }
      + 13 + 1 + (enteredNetherPosition == nil ? 0 : 24)
      + 1 + (rootVehicle.map { 16 + $0.entity.fixedSize } ?? 0)
      + 1 + (leftShoulderEntity?.fixedSize ?? 0) + 1 + (rightShoulderEntity?.fixedSize ?? 0)
      + 1 + recipeBook.fixedSize
  }
}

extension SavedPlayer.Item {
  fileprivate var fixedSize: Int { 1 + 1 + 8 + id.utf8.count }
}

extension SavedPlayer.Entity {
  fileprivate var fixedSize: Int {
    8 + id.utf8.count + 24 + 24 + 8 + 4 + 2 + 2 + 3 + 4 + 16
      + 1 + (customName.map { 8 + $0.utf8.count } ?? 0) + 3
  }
}

extension SavedPlayer.RecipeBook {
  fileprivate var fixedSize: Int {
    (recipes + toBeDisplayed).reduce(8 + 8 + 8) { $0 + 8 + $1.utf8.count }
  }
}
