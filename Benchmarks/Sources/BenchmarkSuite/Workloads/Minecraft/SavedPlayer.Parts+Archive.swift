import KeepsakeArchive

extension SavedPlayer.Position: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
    coder.encode(z, forKey: "z")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let x = try coder.decode(Double.self, forKey: "x")
    let y = try coder.decode(Double.self, forKey: "y")
    let z = try coder.decode(Double.self, forKey: "z")
    self.init(x: x, y: y, z: z)
  }
}

extension SavedPlayer.Rotation: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let x = try coder.decode(Float.self, forKey: "x")
    let y = try coder.decode(Float.self, forKey: "y")
    self.init(x: x, y: y)
  }
}

extension SavedPlayer.Item: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(count, forKey: "count")
    coder.encode(slot, forKey: "slot")
    coder.encode(id, forKey: "id")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let count = try coder.decode(Int8.self, forKey: "count")
    let slot = try coder.decode(UInt8.self, forKey: "slot")
    let id = try coder.decode(String.self, forKey: "id")
    self.init(count: count, slot: slot, id: id)
  }
}

extension SavedPlayer.Abilities: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(walkSpeed, forKey: "walkSpeed")
    coder.encode(flySpeed, forKey: "flySpeed")
    coder.encode(mayFly, forKey: "mayFly")
    coder.encode(flying, forKey: "flying")
    coder.encode(invulnerable, forKey: "invulnerable")
    coder.encode(mayBuild, forKey: "mayBuild")
    coder.encode(instantBuild, forKey: "instantBuild")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let walkSpeed = try coder.decode(Float.self, forKey: "walkSpeed")
    let flySpeed = try coder.decode(Float.self, forKey: "flySpeed")
    let mayFly = try coder.decode(Bool.self, forKey: "mayFly")
    let flying = try coder.decode(Bool.self, forKey: "flying")
    let invulnerable = try coder.decode(Bool.self, forKey: "invulnerable")
    let mayBuild = try coder.decode(Bool.self, forKey: "mayBuild")
    let instantBuild = try coder.decode(Bool.self, forKey: "instantBuild")
    self.init(
      walkSpeed: walkSpeed, flySpeed: flySpeed, mayFly: mayFly, flying: flying,
      invulnerable: invulnerable, mayBuild: mayBuild, instantBuild: instantBuild)
  }
}

extension SavedPlayer.Entity: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(position, forKey: "position")
    coder.encode(motion, forKey: "motion")
    coder.encode(rotation, forKey: "rotation")
    coder.encode(fallDistance, forKey: "fallDistance")
    coder.encode(fire, forKey: "fire")
    coder.encode(air, forKey: "air")
    coder.encode(onGround, forKey: "onGround")
    coder.encode(noGravity, forKey: "noGravity")
    coder.encode(invulnerable, forKey: "invulnerable")
    coder.encode(portalCooldown, forKey: "portalCooldown")
    coder.encode(uuid, forKey: "uuid")
    coder.encode(customName, forKey: "customName")
    coder.encode(customNameVisible, forKey: "customNameVisible")
    coder.encode(silent, forKey: "silent")
    coder.encode(glowing, forKey: "glowing")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let id = try coder.decode(String.self, forKey: "id")
    let position = try coder.decode(SavedPlayer.Position.self, forKey: "position")
    let motion = try coder.decode(SavedPlayer.Position.self, forKey: "motion")
    let rotation = try coder.decode(SavedPlayer.Rotation.self, forKey: "rotation")
    let fallDistance = try coder.decode(Float.self, forKey: "fallDistance")
    let fire = try coder.decode(UInt16.self, forKey: "fire")
    let air = try coder.decode(UInt16.self, forKey: "air")
    let onGround = try coder.decode(Bool.self, forKey: "onGround")
    let noGravity = try coder.decode(Bool.self, forKey: "noGravity")
    let invulnerable = try coder.decode(Bool.self, forKey: "invulnerable")
    let portalCooldown = try coder.decode(Int32.self, forKey: "portalCooldown")
    let uuid = try coder.decode([UInt32].self, forKey: "uuid")
    let customName = try coder.decode(String?.self, forKey: "customName")
    let customNameVisible = try coder.decode(Bool.self, forKey: "customNameVisible")
    let silent = try coder.decode(Bool.self, forKey: "silent")
    let glowing = try coder.decode(Bool.self, forKey: "glowing")
    self.init(
      id: id, position: position, motion: motion, rotation: rotation, fallDistance: fallDistance,
      fire: fire, air: air, onGround: onGround, noGravity: noGravity, invulnerable: invulnerable,
      portalCooldown: portalCooldown, uuid: uuid, customName: customName,
      customNameVisible: customNameVisible, silent: silent, glowing: glowing)
  }
}

extension SavedPlayer.RecipeBook: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(recipes, forKey: "recipes")
    coder.encode(toBeDisplayed, forKey: "toBeDisplayed")
    coder.encode(filteringCraftable, forKey: "filteringCraftable")
    coder.encode(guiOpen, forKey: "guiOpen")
    coder.encode(furnaceFilteringCraftable, forKey: "furnaceFilteringCraftable")
    coder.encode(furnaceGuiOpen, forKey: "furnaceGuiOpen")
    coder.encode(blastingFurnaceFilteringCraftable, forKey: "blastingFurnaceFilteringCraftable")
    coder.encode(blastingFurnaceGuiOpen, forKey: "blastingFurnaceGuiOpen")
    coder.encode(smokerFilteringCraftable, forKey: "smokerFilteringCraftable")
    coder.encode(smokerGuiOpen, forKey: "smokerGuiOpen")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let recipes = try coder.decode([String].self, forKey: "recipes")
    let toBeDisplayed = try coder.decode([String].self, forKey: "toBeDisplayed")
    let filteringCraftable = try coder.decode(Bool.self, forKey: "filteringCraftable")
    let guiOpen = try coder.decode(Bool.self, forKey: "guiOpen")
    let furnaceFilteringCraftable = try coder.decode(
      Bool.self, forKey: "furnaceFilteringCraftable")
    let furnaceGuiOpen = try coder.decode(Bool.self, forKey: "furnaceGuiOpen")
    let blastingFurnaceFilteringCraftable = try coder.decode(
      Bool.self, forKey: "blastingFurnaceFilteringCraftable")
    let blastingFurnaceGuiOpen = try coder.decode(Bool.self, forKey: "blastingFurnaceGuiOpen")
    let smokerFilteringCraftable = try coder.decode(Bool.self, forKey: "smokerFilteringCraftable")
    let smokerGuiOpen = try coder.decode(Bool.self, forKey: "smokerGuiOpen")
    self.init(
      recipes: recipes, toBeDisplayed: toBeDisplayed, filteringCraftable: filteringCraftable,
      guiOpen: guiOpen, furnaceFilteringCraftable: furnaceFilteringCraftable,
      furnaceGuiOpen: furnaceGuiOpen,
      blastingFurnaceFilteringCraftable: blastingFurnaceFilteringCraftable,
      blastingFurnaceGuiOpen: blastingFurnaceGuiOpen,
      smokerFilteringCraftable: smokerFilteringCraftable, smokerGuiOpen: smokerGuiOpen)
  }
}

extension SavedPlayer.Vehicle: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(uuid, forKey: "uuid")
    coder.encode(entity, forKey: "entity")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let uuid = try coder.decode([UInt32].self, forKey: "uuid")
    let entity = try coder.decode(SavedPlayer.Entity.self, forKey: "entity")
    self.init(uuid: uuid, entity: entity)
  }
}
