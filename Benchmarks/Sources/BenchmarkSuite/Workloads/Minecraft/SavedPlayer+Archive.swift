import KeepsakeArchive

extension SavedPlayer.GameType: ArchiveValue {}

extension SavedPlayer: ArchiveRecord {
  func encode(with coder: inout ObjectEncoder) {
    coder.encode(gameType, forKey: "gameType")
    coder.encode(previousGameType, forKey: "previousGameType")
    coder.encode(score, forKey: "score")
    coder.encode(dimension, forKey: "dimension")
    coder.encode(selectedItemSlot, forKey: "selectedItemSlot")
    coder.encode(selectedItem, forKey: "selectedItem")
    coder.encode(spawnDimension, forKey: "spawnDimension")
    coder.encode(spawnX, forKey: "spawnX")
    coder.encode(spawnY, forKey: "spawnY")
    coder.encode(spawnZ, forKey: "spawnZ")
    coder.encode(spawnForced, forKey: "spawnForced")
    coder.encode(sleepTimer, forKey: "sleepTimer")
    coder.encode(foodExhaustionLevel, forKey: "foodExhaustionLevel")
    coder.encode(foodSaturationLevel, forKey: "foodSaturationLevel")
    coder.encode(foodTickTimer, forKey: "foodTickTimer")
    coder.encode(experienceLevel, forKey: "experienceLevel")
    coder.encode(experienceProgress, forKey: "experienceProgress")
    coder.encode(experienceTotal, forKey: "experienceTotal")
    coder.encode(experienceSeed, forKey: "experienceSeed")
    coder.encode(inventory, forKey: "inventory")
    coder.encode(enderItems, forKey: "enderItems")
    coder.encode(abilities, forKey: "abilities")
    coder.encode(enteredNetherPosition, forKey: "enteredNetherPosition")
    coder.encode(rootVehicle, forKey: "rootVehicle")
    coder.encode(leftShoulderEntity, forKey: "leftShoulderEntity")
    coder.encode(rightShoulderEntity, forKey: "rightShoulderEntity")
    coder.encode(seenCredits, forKey: "seenCredits")
    coder.encode(recipeBook, forKey: "recipeBook")
  }

  init(from decoder: borrowing ObjectDecoder) throws(ArchiveError) {
    let gameType = try decoder.decode(SavedPlayer.GameType.self, forKey: "gameType")
    let previousGameType = try decoder.decode(SavedPlayer.GameType.self, forKey: "previousGameType")
    let score = try decoder.decode(Int64.self, forKey: "score")
    let dimension = try decoder.decode(String.self, forKey: "dimension")
    let selectedItemSlot = try decoder.decode(UInt32.self, forKey: "selectedItemSlot")
    let selectedItem = try decoder.decode(SavedPlayer.Item.self, forKey: "selectedItem")
    let spawnDimension = try decoder.decode(String?.self, forKey: "spawnDimension")
    let spawnX = try decoder.decode(Int64.self, forKey: "spawnX")
    let spawnY = try decoder.decode(Int64.self, forKey: "spawnY")
    let spawnZ = try decoder.decode(Int64.self, forKey: "spawnZ")
    let spawnForced = try decoder.decode(Bool?.self, forKey: "spawnForced")
    let sleepTimer = try decoder.decode(UInt16.self, forKey: "sleepTimer")
    let foodExhaustionLevel = try decoder.decode(Float.self, forKey: "foodExhaustionLevel")
    let foodSaturationLevel = try decoder.decode(Float.self, forKey: "foodSaturationLevel")
    let foodTickTimer = try decoder.decode(UInt32.self, forKey: "foodTickTimer")
    let experienceLevel = try decoder.decode(UInt32.self, forKey: "experienceLevel")
    let experienceProgress = try decoder.decode(Float.self, forKey: "experienceProgress")
    let experienceTotal = try decoder.decode(Int32.self, forKey: "experienceTotal")
    let experienceSeed = try decoder.decode(Int32.self, forKey: "experienceSeed")
    let inventory = try decoder.decode([SavedPlayer.Item].self, forKey: "inventory")
    let enderItems = try decoder.decode([SavedPlayer.Item].self, forKey: "enderItems")
    let abilities = try decoder.decode(SavedPlayer.Abilities.self, forKey: "abilities")
    let enteredNetherPosition = try decoder.decode(
      SavedPlayer.Position?.self, forKey: "enteredNetherPosition")
    let rootVehicle = try decoder.decode(SavedPlayer.Vehicle?.self, forKey: "rootVehicle")
    let leftShoulderEntity = try decoder.decode(
      SavedPlayer.Entity?.self, forKey: "leftShoulderEntity")
    let rightShoulderEntity = try decoder.decode(
      SavedPlayer.Entity?.self, forKey: "rightShoulderEntity")
    let seenCredits = try decoder.decode(Bool.self, forKey: "seenCredits")
    let recipeBook = try decoder.decode(SavedPlayer.RecipeBook.self, forKey: "recipeBook")
    self.init(
      gameType: gameType, previousGameType: previousGameType, score: score, dimension: dimension,
      selectedItemSlot: selectedItemSlot, selectedItem: selectedItem,
      spawnDimension: spawnDimension, spawnX: spawnX, spawnY: spawnY, spawnZ: spawnZ,
      spawnForced: spawnForced, sleepTimer: sleepTimer, foodExhaustionLevel: foodExhaustionLevel,
      foodSaturationLevel: foodSaturationLevel, foodTickTimer: foodTickTimer,
      experienceLevel: experienceLevel, experienceProgress: experienceProgress,
      experienceTotal: experienceTotal, experienceSeed: experienceSeed, inventory: inventory,
      enderItems: enderItems, abilities: abilities, enteredNetherPosition: enteredNetherPosition,
      rootVehicle: rootVehicle, leftShoulderEntity: leftShoulderEntity,
      rightShoulderEntity: rightShoulderEntity, seenCredits: seenCredits, recipeBook: recipeBook)
  }
}

extension SavedPlayers {
  /// An archive with one object for each player.
  func archive() throws -> [UInt8] {
    try Records.archive(players, typeName: "Player")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(players: try Records.unarchive(bytes))
  }

  /// Opens an archive and touches one enumeration of each player, and nothing else.
  static func sumGameTypesLazily(_ bytes: [UInt8]) throws -> Int {
    var sum = 0
    try Archive(bytes).forEachObject { player in
      sum += Int(try player.decode(SavedPlayer.GameType.self, forKey: "gameType").rawValue)
    }
    return sum
  }
}
