import BenchmarkHarness

extension HardPlayers {
  static func decode(_ bytes: [UInt8]) throws -> SavedPlayers {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      let archive = try HardArchiveReader(input, shapes: shapes, objectShape: player)
      let reader = HardPlayersReader(input: input, numbers: archive.numbers)
      var players: [SavedPlayer] = []
      players.reserveCapacity(archive.objectCount)
      try archive.forEachBody { players.append(try reader.player($0)) }
      return SavedPlayers(players: players)
    }
  }
}

/// The bytes of the players, with the numbers of their shapes.
private struct HardPlayersReader {
  let input: RawInput
  private let itemShape: Int
  private let positionShape: Int
  private let entityShape: Int
  private let vehicleShape: Int
  private let bookShape: Int

  init(input: RawInput, numbers: [Int]) {
    self.input = input
    itemShape = numbers[HardPlayers.item]
    positionShape = numbers[HardPlayers.position]
    entityShape = numbers[HardPlayers.entity]
    vehicleShape = numbers[HardPlayers.vehicle]
    bookShape = numbers[HardPlayers.recipeBook]
  }

  /// The body in the payload of a nested record with a shape.
  @inline(__always)
  private func body(_ payload: Range<Int>, of shape: Int) throws -> Range<Int> {
    guard !payload.isEmpty, Int(try input.load(UInt8.self, at: payload.lowerBound)) == shape
    else { throw RawInput.damaged }
    return payload.lowerBound + 1..<payload.upperBound
  }

  func player(_ body: Range<Int>) throws -> SavedPlayer {
    let slots = try input.slots(of: body, count: HardPlayers.playerSlots)
    var payloads = try HardPayloads(input, body, slots: HardPlayers.playerSlots, count: 10)
    let dimension = try payloads.text()
    let selectedItem = try item(self.body(payloads.next(), of: itemShape))
    let bits = slots.load(UInt8.self, at: 14)
    let spawn = try payloads.next()
    let spawnDimension = bits & 1 == 0 ? try input.text(in: spawn) : nil
    let inventory = try items(payloads.next())
    let enderItems = try items(payloads.next())
    let nether = try payloads.next()
    let root = try payloads.next()
    let left = try payloads.next()
    let right = try payloads.next()
    return SavedPlayer(
      gameType: try gameType(slots.load(at: 0)), previousGameType: try gameType(slots.load(at: 1)),
      score: slots.load(at: 2), dimension: dimension, selectedItemSlot: slots.load(at: 10),
      selectedItem: selectedItem, spawnDimension: spawnDimension, spawnX: slots.load(at: 15),
      spawnY: slots.load(at: 23), spawnZ: slots.load(at: 31),
      spawnForced: bits & 2 == 0 ? bits & 4 != 0 : nil, sleepTimer: slots.load(at: 39),
      foodExhaustionLevel: slots.load(at: 41), foodSaturationLevel: slots.load(at: 45),
      foodTickTimer: slots.load(at: 49), experienceLevel: slots.load(at: 53),
      experienceProgress: slots.load(at: 57), experienceTotal: slots.load(at: 61),
      experienceSeed: slots.load(at: 65), inventory: inventory, enderItems: enderItems,
      abilities: abilities(slots),
      enteredNetherPosition: bits & 8 == 0 ? try netherPosition(nether) : nil,
      rootVehicle: bits & 16 == 0 ? try vehicle(root) : nil,
      leftShoulderEntity: bits & 32 == 0 ? try entity(left) : nil,
      rightShoulderEntity: bits & 64 == 0 ? try entity(right) : nil,
      seenCredits: bits & 128 != 0, recipeBook: try recipeBook(payloads.last))
  }

  @inline(__always)
  private func gameType(_ number: UInt8) throws -> SavedPlayer.GameType {
    guard let type = SavedPlayer.GameType(rawValue: number) else { throw RawInput.damaged }
    return type
  }

  @inline(__always)
  private func abilities(_ slots: RawSlots) -> SavedPlayer.Abilities {
    let bits = slots.load(UInt8.self, at: 77)
    return SavedPlayer.Abilities(
      walkSpeed: slots.load(at: 69), flySpeed: slots.load(at: 73), mayFly: bits & 1 != 0,
      flying: bits & 2 != 0, invulnerable: bits & 4 != 0, mayBuild: bits & 8 != 0,
      instantBuild: bits & 16 != 0)
  }

  @inline(__always)
  private func item(_ body: Range<Int>) throws -> SavedPlayer.Item {
    let slots = try input.slots(of: body, count: HardPlayers.itemSlots)
    let text = body.lowerBound + HardPlayers.itemSlots..<body.upperBound
    return SavedPlayer.Item(
      count: slots.load(at: 0), slot: slots.load(at: 1), id: try input.text(in: text))
  }

  private func items(_ range: Range<Int>) throws -> [SavedPlayer.Item] {
    if range.isEmpty { return [] }
    guard try input.load(UInt8.self, at: range.lowerBound) == HardTag.record.rawValue,
      Int(try input.load(UInt8.self, at: range.lowerBound + 1)) == itemShape
    else { throw RawInput.damaged }
    var list = try HardElements(input, range, after: 2)
    var items: [SavedPlayer.Item] = []
    items.reserveCapacity(list.count)
    for _ in 0..<list.count { items.append(try item(list.next())) }
    return items
  }

  private func texts(_ range: Range<Int>) throws -> [String] {
    if range.isEmpty { return [] }
    guard try input.load(UInt8.self, at: range.lowerBound) == HardTag.string.rawValue else {
      throw RawInput.damaged
    }
    var list = try HardElements(input, range, after: 1)
    var texts: [String] = []
    texts.reserveCapacity(list.count)
    for _ in 0..<list.count { texts.append(try input.text(in: list.next())) }
    return texts
  }

  private func numbers(_ range: Range<Int>) throws -> [UInt32] {
    if range.isEmpty { return [] }
    guard try input.load(UInt8.self, at: range.lowerBound) == HardTag.uint32.rawValue else {
      throw RawInput.damaged
    }
    return try input.numbers(in: range.lowerBound + 1..<range.upperBound)
  }

  @inline(__always)
  private func position(_ slots: RawSlots, at offset: Int) -> SavedPlayer.Position {
    SavedPlayer.Position(
      x: slots.load(at: offset), y: slots.load(at: offset + 8), z: slots.load(at: offset + 16))
  }

  private func netherPosition(_ payload: Range<Int>) throws -> SavedPlayer.Position {
    let body = try body(payload, of: positionShape)
    try check(body.count == HardPlayers.positionSlots, "A position has another length.")
    return position(try input.slots(of: body, count: HardPlayers.positionSlots), at: 0)
  }

  private func entity(_ payload: Range<Int>) throws -> SavedPlayer.Entity {
    let body = try body(payload, of: entityShape)
    let slots = try input.slots(of: body, count: HardPlayers.entitySlots)
    var payloads = try HardPayloads(input, body, slots: HardPlayers.entitySlots, count: 3)
    let bits = slots.load(UInt8.self, at: 64)
    return SavedPlayer.Entity(
      id: try payloads.text(), position: position(slots, at: 0), motion: position(slots, at: 24),
      rotation: SavedPlayer.Rotation(x: slots.load(at: 48), y: slots.load(at: 52)),
      fallDistance: slots.load(at: 56), fire: slots.load(at: 60), air: slots.load(at: 62),
      onGround: bits & 1 != 0, noGravity: bits & 2 != 0, invulnerable: bits & 4 != 0,
      portalCooldown: slots.load(at: 65), uuid: try numbers(payloads.next()),
      customName: bits & 8 == 0 ? try input.text(in: payloads.last) : nil,
      customNameVisible: bits & 16 != 0, silent: bits & 32 != 0, glowing: bits & 64 != 0)
  }

  private func vehicle(_ payload: Range<Int>) throws -> SavedPlayer.Vehicle {
    var payloads = try HardPayloads(input, body(payload, of: vehicleShape), slots: 0, count: 2)
    let uuid = try numbers(payloads.next())
    return SavedPlayer.Vehicle(uuid: uuid, entity: try entity(payloads.last))
  }

  private func recipeBook(_ payload: Range<Int>) throws -> SavedPlayer.RecipeBook {
    let body = try body(payload, of: bookShape)
    var payloads = try HardPayloads(input, body, slots: 1, count: 2)
    let bits = try input.slots(of: body, count: 1).load(UInt8.self, at: 0)
    let recipes = try texts(payloads.next())
    return SavedPlayer.RecipeBook(
      recipes: recipes, toBeDisplayed: try texts(payloads.last),
      filteringCraftable: bits & 1 != 0, guiOpen: bits & 2 != 0,
      furnaceFilteringCraftable: bits & 4 != 0, furnaceGuiOpen: bits & 8 != 0,
      blastingFurnaceFilteringCraftable: bits & 16 != 0,
      blastingFurnaceGuiOpen: bits & 32 != 0, smokerFilteringCraftable: bits & 64 != 0,
      smokerGuiOpen: bits & 128 != 0)
  }
}
