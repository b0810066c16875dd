import BenchmarkHarness

/// The 500 players of the `minecraft_savedata` workload, checked against their published facts.
///
/// The order of the draws is part of the workload: arguments are drawn as they are written.
enum MinecraftWorkload {
  typealias Generator = PermutedCongruentialGenerator

  static let playerCount = 500

  static func make() throws -> SavedPlayers {
    var random = Generator.published
    let count = playerCount + Int(random.next64(below: 1))
    let players = SavedPlayers(players: (0..<count).map { _ in player(&random) })
    try verify(players)
    return players
  }

  private static func player(_ random: inout Generator) -> SavedPlayer {
    SavedPlayer(
      gameType: gameType(&random), previousGameType: gameType(&random),
      score: random.nextInt64(), dimension: random.element(of: dimensions),
      selectedItemSlot: random.nextUInt32(), selectedItem: item(&random),
      spawnDimension: random.optional { $0.element(of: dimensions) },
      spawnX: random.nextInt64(), spawnY: random.nextInt64(), spawnZ: random.nextInt64(),
      spawnForced: random.optional { $0.nextBool() }, sleepTimer: random.nextUInt16(),
      foodExhaustionLevel: random.nextFloat(), foodSaturationLevel: random.nextFloat(),
      foodTickTimer: random.nextUInt32(), experienceLevel: random.nextUInt32(),
      experienceProgress: random.nextFloat(), experienceTotal: random.nextInt32(),
      experienceSeed: random.nextInt32(), inventory: random.list(shorterThan: 40, item),
      enderItems: random.list(shorterThan: 27, item), abilities: abilities(&random),
      enteredNetherPosition: random.optional(position),
      rootVehicle: random.optional { random in
        SavedPlayer.Vehicle(uuid: uuid(&random), entity: entity(&random))
      },
      leftShoulderEntity: random.optional(entity), rightShoulderEntity: random.optional(entity),
      seenCredits: random.nextBool(), recipeBook: recipeBook(&random))
  }

  private static func gameType(_ random: inout Generator) -> SavedPlayer.GameType {
    SavedPlayer.GameType.allCases[Int(random.next32(below: 4))]
  }

  private static func item(_ random: inout Generator) -> SavedPlayer.Item {
    SavedPlayer.Item(
      count: random.nextInt8(), slot: random.nextUInt8(), id: random.element(of: items))
  }

  private static func position(_ random: inout Generator) -> SavedPlayer.Position {
    SavedPlayer.Position(
      x: random.nextDouble(), y: random.nextDouble(), z: random.nextDouble())
  }

  private static func uuid(_ random: inout Generator) -> [UInt32] {
    (0..<4).map { _ in random.nextUInt32() }
  }

  private static func abilities(_ random: inout Generator) -> SavedPlayer.Abilities {
    SavedPlayer.Abilities(
      walkSpeed: random.nextFloat(), flySpeed: random.nextFloat(), mayFly: random.nextBool(),
      flying: random.nextBool(), invulnerable: random.nextBool(), mayBuild: random.nextBool(),
      instantBuild: random.nextBool())
  }

  private static func entity(_ random: inout Generator) -> SavedPlayer.Entity {
    SavedPlayer.Entity(
      id: random.element(of: entities), position: position(&random), motion: position(&random),
      rotation: SavedPlayer.Rotation(x: random.nextFloat(), y: random.nextFloat()),
      fallDistance: random.nextFloat(), fire: random.nextUInt16(), air: random.nextUInt16(),
      onGround: random.nextBool(), noGravity: random.nextBool(), invulnerable: random.nextBool(),
      portalCooldown: random.nextInt32(), uuid: uuid(&random),
      customName: random.optional { $0.element(of: names) },
      customNameVisible: random.nextBool(), silent: random.nextBool(),
      glowing: random.nextBool())
  }

  private static func recipeBook(_ random: inout Generator) -> SavedPlayer.RecipeBook {
    SavedPlayer.RecipeBook(
      recipes: random.list(shorterThan: 30) { $0.element(of: recipes) },
      toBeDisplayed: random.list(shorterThan: 10) { $0.element(of: recipes) },
      filteringCraftable: random.nextBool(), guiOpen: random.nextBool(),
      furnaceFilteringCraftable: random.nextBool(), furnaceGuiOpen: random.nextBool(),
      blastingFurnaceFilteringCraftable: random.nextBool(),
      blastingFurnaceGuiOpen: random.nextBool(), smokerFilteringCraftable: random.nextBool(),
      smokerGuiOpen: random.nextBool())
  }

  /// Checks the published size and counts.
  private static func verify(_ saved: SavedPlayers) throws {
    func total(_ count: (SavedPlayer) -> Int) -> Int { saved.players.reduce(0) { $0 + count($1) } }
    try check(
      saved.fixedSize == 566_975 && total(\.inventory.count) == 9_370
        && total(\.enderItems.count) == 6_527 && total { $0.rootVehicle == nil ? 0 : 1 } == 246
        && total { $0.leftShoulderEntity == nil ? 0 : 1 } == 239
        && total { $0.rightShoulderEntity == nil ? 0 : 1 } == 248
        && total(\.recipeBook.recipes.count) == 7_603
        && total(\.recipeBook.toBeDisplayed.count) == 2_289,
      "The minecraft_savedata workload differs from the published one (\(saved.fixedSize) bytes).")
  }

  private static let dimensions = ["overworld", "nether", "end"]
  private static let items = [
    "dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak",
  ]
  private static let entities = [
    "cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee",
  ]
  private static let names = [
    "rainbow", "princess", "steve", "johnny", "missy", "coward", "fairy", "howard",
  ]
  private static let recipes = [
    "pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt",
  ]
}
