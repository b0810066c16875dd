extension SavedPlayer {
  var message: PBPlayer {
    var message = PBPlayer()
    message.gameType = PBGameType(gameType)
    message.previousGameType = PBGameType(previousGameType)
    message.score = score
    message.dimension = dimension
    message.selectedItemSlot = selectedItemSlot
    message.selectedItem = selectedItem.message
    if let value = spawnDimension { message.spawnDimension = value }
    message.spawnX = spawnX
    message.spawnY = spawnY
    message.spawnZ = spawnZ
    if let value = spawnForced { message.spawnForced = value }
    message.sleepTimer = UInt32(sleepTimer)
    message.foodExhaustionLevel = foodExhaustionLevel
    message.foodSaturationLevel = foodSaturationLevel
    message.foodTickTimer = foodTickTimer
    message.xpLevel = experienceLevel
    message.xpP = experienceProgress
    message.xpTotal = experienceTotal
    message.xpSeed = experienceSeed
    message.inventory = inventory.map(\.message)
    message.enderItems = enderItems.map(\.message)
    message.abilities = abilities.message
    if let value = enteredNetherPosition { message.enteredNetherPosition = value.message }
    if let value = rootVehicle { message.rootVehicle = value.message }
    if let value = leftShoulderEntity { message.shoulderEntityLeft = value.message }
    if let value = rightShoulderEntity { message.shoulderEntityRight = value.message }
    message.seenCredits = seenCredits
    message.recipeBook = recipeBook.message
    return message
  }

  init(_ message: PBPlayer) {
    self.init(
      gameType: SavedPlayer.GameType(message.gameType),
      previousGameType: SavedPlayer.GameType(message.previousGameType),
      score: message.score,
      dimension: message.dimension,
      selectedItemSlot: message.selectedItemSlot,
      selectedItem: SavedPlayer.Item(message.selectedItem),
      spawnDimension: message.hasSpawnDimension ? message.spawnDimension : nil,
      spawnX: message.spawnX,
      spawnY: message.spawnY,
      spawnZ: message.spawnZ,
      spawnForced: message.hasSpawnForced ? message.spawnForced : nil,
      sleepTimer: UInt16(truncatingIfNeeded: message.sleepTimer),
      foodExhaustionLevel: message.foodExhaustionLevel,
      foodSaturationLevel: message.foodSaturationLevel,
      foodTickTimer: message.foodTickTimer,
      experienceLevel: message.xpLevel,
      experienceProgress: message.xpP,
      experienceTotal: message.xpTotal,
      experienceSeed: message.xpSeed,
      inventory: message.inventory.map { SavedPlayer.Item($0) },
      enderItems: message.enderItems.map { SavedPlayer.Item($0) },
      abilities: SavedPlayer.Abilities(message.abilities),
      enteredNetherPosition: message.hasEnteredNetherPosition
        ? SavedPlayer.Position(message.enteredNetherPosition) : nil,
      rootVehicle: message.hasRootVehicle ? SavedPlayer.Vehicle(message.rootVehicle) : nil,
      leftShoulderEntity: message.hasShoulderEntityLeft
        ? SavedPlayer.Entity(message.shoulderEntityLeft) : nil,
      rightShoulderEntity: message.hasShoulderEntityRight
        ? SavedPlayer.Entity(message.shoulderEntityRight) : nil,
      seenCredits: message.seenCredits,
      recipeBook: SavedPlayer.RecipeBook(message.recipeBook))
  }
}

extension SavedPlayers: MessageConvertible {
  var message: PBPlayers {
    var message = PBPlayers()
    message.players = players.map(\.message)
    return message
  }

  init(_ message: PBPlayers) {
    self.init(players: message.players.map { SavedPlayer($0) })
  }
}

extension PBGameType {
  init(_ type: SavedPlayer.GameType) {
    switch type {
    case .survival: self = .survival
    case .creative: self = .creative
    case .adventure: self = .adventure
    case .spectator: self = .spectator
    }
  }
}

extension SavedPlayer.GameType {
  init(_ message: PBGameType) {
    switch message {
    case .creative: self = .creative
    case .adventure: self = .adventure
    case .spectator: self = .spectator
    case .survival, .UNRECOGNIZED: self = .survival
    }
  }
}
