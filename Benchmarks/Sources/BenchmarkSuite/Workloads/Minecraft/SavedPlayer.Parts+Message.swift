extension SavedPlayer.Position {
  var message: PBVector3d {
    var message = PBVector3d()
    message.x = x
    message.y = y
    message.z = z
    return message
  }

  init(_ message: PBVector3d) {
    self.init(
      x: message.x,
      y: message.y,
      z: message.z)
  }
}

extension SavedPlayer.Rotation {
  var message: PBVector2f {
    var message = PBVector2f()
    message.x = x
    message.y = y
    return message
  }

  init(_ message: PBVector2f) {
    self.init(
      x: message.x,
      y: message.y)
  }
}

extension SavedPlayer.Item {
  var message: PBItem {
    var message = PBItem()
    message.count = Int32(count)
    message.slot = UInt32(slot)
    message.id = id
    return message
  }

  init(_ message: PBItem) {
    self.init(
      count: Int8(truncatingIfNeeded: message.count),
      slot: UInt8(truncatingIfNeeded: message.slot),
      id: message.id)
  }
}

extension SavedPlayer.Abilities {
  var message: PBAbilities {
    var message = PBAbilities()
    message.walkSpeed = walkSpeed
    message.flySpeed = flySpeed
    message.mayFly = mayFly
    message.flying = flying
    message.invulnerable = invulnerable
    message.mayBuild = mayBuild
    message.instabuild = instantBuild
    return message
  }

  init(_ message: PBAbilities) {
    self.init(
      walkSpeed: message.walkSpeed,
      flySpeed: message.flySpeed,
      mayFly: message.mayFly,
      flying: message.flying,
      invulnerable: message.invulnerable,
      mayBuild: message.mayBuild,
      instantBuild: message.instabuild)
  }
}

extension SavedPlayer.Entity {
  var message: PBEntity {
    var message = PBEntity()
    message.id = id
    message.position = position.message
    message.motion = motion.message
    message.rotation = rotation.message
    message.fallDistance = fallDistance
    message.fire = UInt32(fire)
    message.air = UInt32(air)
    message.onGround = onGround
    message.noGravity = noGravity
    message.invulnerable = invulnerable
    message.portalCooldown = portalCooldown
    message.uuid = PBIdentifier(uuid)
    if let value = customName { message.customName = value }
    message.customNameVisible = customNameVisible
    message.silent = silent
    message.glowing = glowing
    return message
  }

  init(_ message: PBEntity) {
    self.init(
      id: message.id,
      position: SavedPlayer.Position(message.position),
      motion: SavedPlayer.Position(message.motion),
      rotation: SavedPlayer.Rotation(message.rotation),
      fallDistance: message.fallDistance,
      fire: UInt16(truncatingIfNeeded: message.fire),
      air: UInt16(truncatingIfNeeded: message.air),
      onGround: message.onGround,
      noGravity: message.noGravity,
      invulnerable: message.invulnerable,
      portalCooldown: message.portalCooldown,
      uuid: message.uuid.numbers,
      customName: message.hasCustomName ? message.customName : nil,
      customNameVisible: message.customNameVisible,
      silent: message.silent,
      glowing: message.glowing)
  }
}

extension SavedPlayer.RecipeBook {
  var message: PBRecipeBook {
    var message = PBRecipeBook()
    message.recipes = recipes
    message.toBeDisplayed = toBeDisplayed
    message.isFilteringCraftable = filteringCraftable
    message.isGuiOpen = guiOpen
    message.isFurnaceFilteringCraftable = furnaceFilteringCraftable
    message.isFurnaceGuiOpen = furnaceGuiOpen
    message.isBlastingFurnaceFilteringCraftable = blastingFurnaceFilteringCraftable
    message.isBlastingFurnaceGuiOpen = blastingFurnaceGuiOpen
    message.isSmokerFilteringCraftable = smokerFilteringCraftable
    message.isSmokerGuiOpen = smokerGuiOpen
    return message
  }

  init(_ message: PBRecipeBook) {
    self.init(
      recipes: message.recipes,
      toBeDisplayed: message.toBeDisplayed,
      filteringCraftable: message.isFilteringCraftable,
      guiOpen: message.isGuiOpen,
      furnaceFilteringCraftable: message.isFurnaceFilteringCraftable,
      furnaceGuiOpen: message.isFurnaceGuiOpen,
      blastingFurnaceFilteringCraftable: message.isBlastingFurnaceFilteringCraftable,
      blastingFurnaceGuiOpen: message.isBlastingFurnaceGuiOpen,
      smokerFilteringCraftable: message.isSmokerFilteringCraftable,
      smokerGuiOpen: message.isSmokerGuiOpen)
  }
}

extension SavedPlayer.Vehicle {
  var message: PBVehicle {
    var message = PBVehicle()
    message.uuid = PBIdentifier(uuid)
    message.entity = entity.message
    return message
  }

  init(_ message: PBVehicle) {
    self.init(
      uuid: message.uuid.numbers,
      entity: SavedPlayer.Entity(message.entity))
  }
}

extension PBIdentifier {
  init(_ numbers: [UInt32]) {
    self.init()
    guard numbers.count == 4 else { return }
    (x0, x1, x2, x3) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  var numbers: [UInt32] { [x0, x1, x2, x3] }
}
