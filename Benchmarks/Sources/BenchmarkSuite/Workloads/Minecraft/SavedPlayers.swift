/// The saved players of a game, as rust_serialization_benchmark defines them.
struct SavedPlayers: Codable, Equatable, Sendable {
  var players: [SavedPlayer]
}

/// One player: nested values, options, lists and small enumerations side by side.
struct SavedPlayer: Codable, Equatable, Sendable {
  enum GameType: UInt8, Codable, CaseIterable, Sendable {
    case survival, creative, adventure, spectator
  }

  struct Vehicle: Codable, Equatable, Sendable {
    var uuid: [UInt32]
    var entity: Entity
  }

  var gameType: GameType
  var previousGameType: GameType
  var score: Int64
  var dimension: String
  var selectedItemSlot: UInt32
  var selectedItem: Item
  var spawnDimension: String?
  var spawnX: Int64
  var spawnY: Int64
  var spawnZ: Int64
  var spawnForced: Bool?
  var sleepTimer: UInt16
  var foodExhaustionLevel: Float
  var foodSaturationLevel: Float
  var foodTickTimer: UInt32
  var experienceLevel: UInt32
  var experienceProgress: Float
  var experienceTotal: Int32
  var experienceSeed: Int32
  var inventory: [Item]
  var enderItems: [Item]
  var abilities: Abilities
  var enteredNetherPosition: Position?
  var rootVehicle: Vehicle?
  var leftShoulderEntity: Entity?
  var rightShoulderEntity: Entity?
  var seenCredits: Bool
  var recipeBook: RecipeBook
}

extension SavedPlayer {
  struct Position: Codable, Equatable, Sendable {
    var x: Double
    var y: Double
    var z: Double
  }

  struct Rotation: Codable, Equatable, Sendable {
    var x: Float
    var y: Float
  }

  struct Item: Codable, Equatable, Sendable {
    var count: Int8
    var slot: UInt8
    var id: String
  }

  struct Abilities: Codable, Equatable, Sendable {
    var walkSpeed: Float
    var flySpeed: Float
    var mayFly: Bool
    var flying: Bool
    var invulnerable: Bool
    var mayBuild: Bool
    var instantBuild: Bool
  }

  struct Entity: Codable, Equatable, Sendable {
    var id: String
    var position: Position
    var motion: Position
    var rotation: Rotation
    var fallDistance: Float
    var fire: UInt16
    var air: UInt16
    var onGround: Bool
    var noGravity: Bool
    var invulnerable: Bool
    var portalCooldown: Int32
    var uuid: [UInt32]
    var customName: String?
    var customNameVisible: Bool
    var silent: Bool
    var glowing: Bool
  }

  struct RecipeBook: Codable, Equatable, Sendable {
    var recipes: [String]
    var toBeDisplayed: [String]
    var filteringCraftable: Bool
    var guiOpen: Bool
    var furnaceFilteringCraftable: Bool
    var furnaceGuiOpen: Bool
    var blastingFurnaceFilteringCraftable: Bool
    var blastingFurnaceGuiOpen: Bool
    var smokerFilteringCraftable: Bool
    var smokerGuiOpen: Bool
  }
}
