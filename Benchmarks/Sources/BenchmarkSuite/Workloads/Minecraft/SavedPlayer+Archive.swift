import KeepsakeArchive

extension SavedPlayer.GameType: ArchiveValue {}

extension SavedPlayer: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
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

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let gameType = try coder.decode(SavedPlayer.GameType.self, forKey: "gameType")
    let previousGameType = try coder.decode(SavedPlayer.GameType.self, forKey: "previousGameType")
    let score = try coder.decode(Int64.self, forKey: "score")
    let dimension = try coder.decode(String.self, forKey: "dimension")
    let selectedItemSlot = try coder.decode(UInt32.self, forKey: "selectedItemSlot")
    let selectedItem = try coder.decode(SavedPlayer.Item.self, forKey: "selectedItem")
    let spawnDimension = try coder.decode(String?.self, forKey: "spawnDimension")
    let spawnX = try coder.decode(Int64.self, forKey: "spawnX")
    let spawnY = try coder.decode(Int64.self, forKey: "spawnY")
    let spawnZ = try coder.decode(Int64.self, forKey: "spawnZ")
    let spawnForced = try coder.decode(Bool?.self, forKey: "spawnForced")
    let sleepTimer = try coder.decode(UInt16.self, forKey: "sleepTimer")
    let foodExhaustionLevel = try coder.decode(Float.self, forKey: "foodExhaustionLevel")
    let foodSaturationLevel = try coder.decode(Float.self, forKey: "foodSaturationLevel")
    let foodTickTimer = try coder.decode(UInt32.self, forKey: "foodTickTimer")
    let experienceLevel = try coder.decode(UInt32.self, forKey: "experienceLevel")
    let experienceProgress = try coder.decode(Float.self, forKey: "experienceProgress")
    let experienceTotal = try coder.decode(Int32.self, forKey: "experienceTotal")
    let experienceSeed = try coder.decode(Int32.self, forKey: "experienceSeed")
    let inventory = try coder.decode([SavedPlayer.Item].self, forKey: "inventory")
    let enderItems = try coder.decode([SavedPlayer.Item].self, forKey: "enderItems")
    let abilities = try coder.decode(SavedPlayer.Abilities.self, forKey: "abilities")
    let enteredNetherPosition = try coder.decode(
      SavedPlayer.Position?.self, forKey: "enteredNetherPosition")
    let rootVehicle = try coder.decode(SavedPlayer.Vehicle?.self, forKey: "rootVehicle")
    let leftShoulderEntity = try coder.decode(
      SavedPlayer.Entity?.self, forKey: "leftShoulderEntity")
    let rightShoulderEntity = try coder.decode(
      SavedPlayer.Entity?.self, forKey: "rightShoulderEntity")
    let seenCredits = try coder.decode(Bool.self, forKey: "seenCredits")
    let recipeBook = try coder.decode(SavedPlayer.RecipeBook.self, forKey: "recipeBook")
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

  /// Opens an archive and reads only one enumeration of each player.
  static func sumGameTypesLazily(_ bytes: [UInt8]) throws -> Int {
    var sum = 0
    try Archive(bytes).forEachObject { player in
      sum += Int(try player.decode(SavedPlayer.GameType.self, forKey: "gameType").rawValue)
    }
    return sum
  }
}
