import BenchmarkHarness

/// The archive of `minecraft` by code for this layout only: its shapes, and the offsets of their slots.
enum HardPlayers {
  static let item = 0
  static let abilities = 1
  static let position = 2
  static let rotation = 3
  static let entity = 4
  static let vehicle = 5
  static let recipeBook = 6
  static let player = 7

  static let shapes = [
    HardShape(slots: [.init("count", .int8), .init("slot", .uint8), .init("id", .string)]),
    HardShape(
      slots: [
        .init("walkSpeed", .float), .init("flySpeed", .float), .init("mayFly", .bool),
        .init("flying", .bool), .init("invulnerable", .bool), .init("mayBuild", .bool),
        .init("instantBuild", .bool),
      ]),
    HardShape(slots: [.init("x", .double), .init("y", .double), .init("z", .double)]),
    HardShape(slots: [.init("x", .float), .init("y", .float)]),
    HardShape(
      slots: [
        .init("id", .string), .init("position", cell: position), .init("motion", cell: position),
        .init("rotation", cell: rotation), .init("fallDistance", .float), .init("fire", .uint16),
        .init("air", .uint16), .init("onGround", .bool), .init("noGravity", .bool),
        .init("invulnerable", .bool), .init("portalCooldown", .int32), .init("uuid", .array),
        .init("customName", .string, isNullable: true), .init("customNameVisible", .bool),
        .init("silent", .bool), .init("glowing", .bool),
      ]),
    HardShape(slots: [.init("uuid", .array), .init("entity", .record)]),
    HardShape(
      slots: [
        .init("recipes", .array), .init("toBeDisplayed", .array),
        .init("filteringCraftable", .bool), .init("guiOpen", .bool),
        .init("furnaceFilteringCraftable", .bool), .init("furnaceGuiOpen", .bool),
        .init("blastingFurnaceFilteringCraftable", .bool), .init("blastingFurnaceGuiOpen", .bool),
        .init("smokerFilteringCraftable", .bool), .init("smokerGuiOpen", .bool),
      ]),
    HardShape(
      typeName: "Player",
      slots: [
        .init("gameType", .uint8), .init("previousGameType", .uint8), .init("score", .int64),
        .init("dimension", .string), .init("selectedItemSlot", .uint32),
        .init("selectedItem", .record), .init("spawnDimension", .string, isNullable: true),
        .init("spawnX", .int64), .init("spawnY", .int64), .init("spawnZ", .int64),
        .init("spawnForced", .bool, isNullable: true), .init("sleepTimer", .uint16),
        .init("foodExhaustionLevel", .float), .init("foodSaturationLevel", .float),
        .init("foodTickTimer", .uint32), .init("experienceLevel", .uint32),
        .init("experienceProgress", .float), .init("experienceTotal", .int32),
        .init("experienceSeed", .int32), .init("inventory", .array), .init("enderItems", .array),
        .init("abilities", cell: abilities),
        .init("enteredNetherPosition", .record, isNullable: true),
        .init("rootVehicle", .record, isNullable: true),
        .init("leftShoulderEntity", .record, isNullable: true),
        .init("rightShoulderEntity", .record, isNullable: true), .init("seenCredits", .bool),
        .init("recipeBook", .record),
      ]),
  ]

  /// The size of a player's slots; a player has ten payloads.
  static let playerSlots = 78
  /// The size of an entity's slots; an entity has three payloads.
  static let entitySlots = 69
  static let positionSlots = 24
  static let itemSlots = 2

  /// A byte with the bits of Booleans, the first in the lowest bit.
  @inline(__always)
  static func bits(
    _ first: Bool, _ second: Bool, _ third: Bool, _ fourth: Bool, _ fifth: Bool,
    _ sixth: Bool = false, _ seventh: Bool = false, _ eighth: Bool = false
  ) -> UInt8 {
    @inline(__always)
    func bit(_ value: Bool, _ index: UInt8) -> UInt8 { (value ? 1 : 0) << index }
    let lower = bit(first, 0) | bit(second, 1) | bit(third, 2) | bit(fourth, 3)
    return lower | bit(fifth, 4) | bit(sixth, 5) | bit(seventh, 6) | bit(eighth, 7)
  }

  /// The most numbers in an array that is not aligned; arrays of this workload never have more.
  static let mostNumbers = 63
}
