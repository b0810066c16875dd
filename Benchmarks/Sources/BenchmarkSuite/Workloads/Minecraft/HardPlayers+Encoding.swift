import BenchmarkHarness

// The length of each part is computed before the part is written, so that the widths of ends are known.

extension HardPlayers {
  static func encode(_ saved: SavedPlayers) throws -> [UInt8] {
    var writer = HardArchiveWriter(
      shapes: shapes, objectShape: player, capacity: saved.players.count * 800)
    for player in saved.players { try write(player, to: &writer) }
    return writer.finish()
  }

  @inline(__always)
  private static func length(of item: SavedPlayer.Item) -> Int { itemSlots + item.id.utf8.count }

  private static func length(of items: [SavedPlayer.Item]) -> Int {
    if items.isEmpty { return 0 }
    var bytes = 2
    for index in items.indices { bytes += length(of: items[index]) }
    return bytes + items.count * HardWidth.smallest(of: items.count, besides: bytes)
  }

  private static func length(of texts: [String]) -> Int {
    if texts.isEmpty { return 0 }
    var bytes = 1
    for index in texts.indices { bytes += texts[index].utf8.count }
    return bytes + texts.count * HardWidth.smallest(of: texts.count, besides: bytes)
  }

  @inline(__always)
  private static func length(of numbers: [UInt32]) -> Int {
    numbers.isEmpty ? 0 : 1 + 4 * numbers.count
  }

  private static func payloads(of entity: SavedPlayer.Entity) -> Int {
    entity.id.utf8.count + length(of: entity.uuid) + (entity.customName?.utf8.count ?? 0)
  }

  /// The length, including the number of the shape.
  private static func length(of entity: SavedPlayer.Entity?) -> Int {
    guard let entity else { return 0 }
    return 1 + HardWidth.body(slots: entitySlots, payloads: 3, of: payloads(of: entity))
  }

  private static func write(
    _ player: SavedPlayer, to writer: inout HardArchiveWriter
  ) throws {
    let inventory = length(of: player.inventory)
    let enderItems = length(of: player.enderItems)
    let vehicle =
      player.rootVehicle.map { length(of: $0.uuid) + length(of: Optional($0.entity)) } ?? 0
    let recipes = length(of: player.recipeBook.recipes)
    let book = recipes + length(of: player.recipeBook.toBeDisplayed)
    let bytes =
      player.dimension.utf8.count + 1 + length(of: player.selectedItem)
      + (player.spawnDimension?.utf8.count ?? 0) + inventory + enderItems
      + (player.enteredNetherPosition == nil ? 0 : 1 + positionSlots)
      + (player.rootVehicle == nil ? 0 : 1 + HardWidth.body(slots: 0, payloads: 2, of: vehicle))
      + length(of: player.leftShoulderEntity) + length(of: player.rightShoulderEntity)
      + 1 + HardWidth.body(slots: 1, payloads: 2, of: book)
    var body = HardBody(&writer.output, slots: playerSlots, payloads: 10, of: bytes)
    writeSlots(of: player, at: body.start, to: &writer)
    writer.output.append(player.dimension)
    body.end(&writer.output)
    writer.output.append(UInt8(writer.tables.number(of: item)))
    write(player.selectedItem, to: &writer)
    body.end(&writer.output)
    if let dimension = player.spawnDimension { writer.output.append(dimension) }
    body.end(&writer.output)
    write(player.inventory, length: inventory, to: &writer)
    body.end(&writer.output)
    write(player.enderItems, length: enderItems, to: &writer)
    body.end(&writer.output)
    _ = writer.tables.number(of: abilities)
    if let position = player.enteredNetherPosition {
      writer.output.append(UInt8(writer.tables.number(of: Self.position)))
      writer.output.appendUninitialized(positionSlots)
      write(position, at: writer.output.count - positionSlots, to: &writer)
    }
    body.end(&writer.output)
    if let root = player.rootVehicle { try write(root, payloads: vehicle, to: &writer) }
    body.end(&writer.output)
    if let entity = player.leftShoulderEntity { try write(entity, to: &writer) }
    body.end(&writer.output)
    if let entity = player.rightShoulderEntity { try write(entity, to: &writer) }
    body.end(&writer.output)
    write(player.recipeBook, payloads: book, recipes: recipes, to: &writer)
    writer.endObject(at: body.start)
  }

  @inline(__always)
  private static func writeSlots(
    of player: SavedPlayer, at start: Int, to writer: inout HardArchiveWriter
  ) {
    writer.output.store(player.gameType.rawValue, at: start)
    writer.output.store(player.previousGameType.rawValue, at: start + 1)
    writer.output.store(player.score, at: start + 2)
    writer.output.store(player.selectedItemSlot, at: start + 10)
    writer.output.store(
      bits(
        player.spawnDimension == nil, player.spawnForced == nil, player.spawnForced == true,
        player.enteredNetherPosition == nil, player.rootVehicle == nil,
        player.leftShoulderEntity == nil, player.rightShoulderEntity == nil, player.seenCredits),
      at: start + 14)
    writer.output.store(player.spawnX, at: start + 15)
    writer.output.store(player.spawnY, at: start + 23)
    writer.output.store(player.spawnZ, at: start + 31)
    writer.output.store(player.sleepTimer, at: start + 39)
    writer.output.store(player.foodExhaustionLevel, at: start + 41)
    writer.output.store(player.foodSaturationLevel, at: start + 45)
    writer.output.store(player.foodTickTimer, at: start + 49)
    writer.output.store(player.experienceLevel, at: start + 53)
    writer.output.store(player.experienceProgress, at: start + 57)
    writer.output.store(player.experienceTotal, at: start + 61)
    writer.output.store(player.experienceSeed, at: start + 65)
    let abilities = player.abilities
    writer.output.store(abilities.walkSpeed, at: start + 69)
    writer.output.store(abilities.flySpeed, at: start + 73)
    writer.output.store(
      bits(
        abilities.mayFly, abilities.flying, abilities.invulnerable, abilities.mayBuild,
        abilities.instantBuild),
      at: start + 77)
  }

  @inline(__always)
  private static func write(_ item: SavedPlayer.Item, to writer: inout HardArchiveWriter) {
    writer.output.append(item.count)
    writer.output.append(item.slot)
    writer.output.append(item.id)
  }

  @inline(__always)
  private static func write(
    _ position: SavedPlayer.Position, at start: Int, to writer: inout HardArchiveWriter
  ) {
    writer.output.store(position.x, at: start)
    writer.output.store(position.y, at: start + 8)
    writer.output.store(position.z, at: start + 16)
  }

  private static func write(
    _ items: [SavedPlayer.Item], length: Int, to writer: inout HardArchiveWriter
  ) {
    if items.isEmpty { return }
    writer.output.append(HardTag.record.rawValue)
    writer.output.append(UInt8(writer.tables.number(of: item)))
    var list = HardList(&writer.output, count: items.count, length: length)
    for index in items.indices {
      write(items[index], to: &writer)
      list.end(index, of: items.count, &writer.output)
    }
  }

  private static func write(
    _ texts: [String], length: Int, to writer: inout HardArchiveWriter
  ) {
    if texts.isEmpty { return }
    writer.output.append(HardTag.string.rawValue)
    var list = HardList(&writer.output, count: texts.count, length: length)
    for index in texts.indices {
      writer.output.append(texts[index])
      list.end(index, of: texts.count, &writer.output)
    }
  }

  private static func write(_ numbers: [UInt32], to writer: inout HardArchiveWriter) throws {
    if numbers.isEmpty { return }
    try check(numbers.count <= mostNumbers, "There are more numbers than in this workload.")
    writer.output.append(HardTag.uint32.rawValue)
    for index in numbers.indices { writer.output.append(numbers[index]) }
  }

  private static func write(
    _ entity: SavedPlayer.Entity, to writer: inout HardArchiveWriter
  ) throws {
    _ = writer.tables.number(of: position)
    _ = writer.tables.number(of: rotation)
    writer.output.append(UInt8(writer.tables.number(of: Self.entity)))
    var body = HardBody(
      &writer.output, slots: entitySlots, payloads: 3, of: payloads(of: entity))
    let start = body.start
    write(entity.position, at: start, to: &writer)
    write(entity.motion, at: start + 24, to: &writer)
    writer.output.store(entity.rotation.x, at: start + 48)
    writer.output.store(entity.rotation.y, at: start + 52)
    writer.output.store(entity.fallDistance, at: start + 56)
    writer.output.store(entity.fire, at: start + 60)
    writer.output.store(entity.air, at: start + 62)
    writer.output.store(
      bits(
        entity.onGround, entity.noGravity, entity.invulnerable, entity.customName == nil,
        entity.customNameVisible, entity.silent, entity.glowing),
      at: start + 64)
    writer.output.store(entity.portalCooldown, at: start + 65)
    writer.output.append(entity.id)
    body.end(&writer.output)
    try write(entity.uuid, to: &writer)
    body.end(&writer.output)
    if let name = entity.customName { writer.output.append(name) }
  }

  private static func write(
    _ root: SavedPlayer.Vehicle, payloads: Int, to writer: inout HardArchiveWriter
  ) throws {
    _ = writer.tables.number(of: position)
    _ = writer.tables.number(of: rotation)
    _ = writer.tables.number(of: entity)
    writer.output.append(UInt8(writer.tables.number(of: vehicle)))
    var body = HardBody(&writer.output, slots: 0, payloads: 2, of: payloads)
    try write(root.uuid, to: &writer)
    body.end(&writer.output)
    try write(root.entity, to: &writer)
  }

  private static func write(
    _ book: SavedPlayer.RecipeBook, payloads: Int, recipes: Int, to writer: inout HardArchiveWriter
  ) {
    writer.output.append(UInt8(writer.tables.number(of: recipeBook)))
    var body = HardBody(&writer.output, slots: 1, payloads: 2, of: payloads)
    writer.output.store(
      bits(
        book.filteringCraftable, book.guiOpen, book.furnaceFilteringCraftable, book.furnaceGuiOpen,
        book.blastingFurnaceFilteringCraftable, book.blastingFurnaceGuiOpen,
        book.smokerFilteringCraftable, book.smokerGuiOpen),
      at: body.start)
    write(book.recipes, length: recipes, to: &writer)
    body.end(&writer.output)
    write(book.toBeDisplayed, length: payloads - recipes, to: &writer)
  }
}
