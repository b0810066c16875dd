extension PBUpdateActivity {
  init(_ value: Updates.Activity) {
    self =
      switch value {
      case .idle: .idle
      case .walking: .walking
      case .running: .running
      case .jumping: .jumping
      case .swimming: .swimming
      case .fighting: .fighting
      }
  }
}

extension Updates.Activity {
  init(_ message: PBUpdateActivity) {
    self =
      switch message {
      case .idle: .idle
      case .walking: .walking
      case .running: .running
      case .jumping: .jumping
      case .swimming: .swimming
      case .fighting: .fighting
      case .UNRECOGNIZED: .idle
      }
  }
}

extension Updates.Vector {
  var message: PBUpdateVector {
    var message = PBUpdateVector()
    message.x = x
    message.y = y
    message.z = z
    return message
  }

  init(_ message: PBUpdateVector) {
    self.init(
      x: message.x,
      y: message.y,
      z: message.z)
  }
}

extension Updates.Orientation {
  var message: PBUpdateOrientation {
    var message = PBUpdateOrientation()
    message.yaw = Int32(yaw)
    message.pitch = Int32(pitch)
    message.roll = Int32(roll)
    return message
  }

  init(_ message: PBUpdateOrientation) {
    self.init(
      yaw: Int16(truncatingIfNeeded: message.yaw),
      pitch: Int16(truncatingIfNeeded: message.pitch),
      roll: Int8(truncatingIfNeeded: message.roll))
  }
}

extension Updates.Vitals {
  var message: PBUpdateVitals {
    var message = PBUpdateVitals()
    message.health = Int32(health)
    message.armor = UInt32(armor)
    message.stamina = UInt32(stamina)
    message.level = UInt32(level)
    message.experience = experience
    return message
  }

  init(_ message: PBUpdateVitals) {
    self.init(
      health: Int16(truncatingIfNeeded: message.health),
      armor: UInt16(truncatingIfNeeded: message.armor),
      stamina: UInt8(truncatingIfNeeded: message.stamina),
      level: UInt8(truncatingIfNeeded: message.level),
      experience: message.experience)
  }
}

extension Updates.Update {
  var message: PBUpdate {
    var message = PBUpdate()
    message.entityID = entityID
    message.flags = UInt32(flags)
    message.position = position.message
    message.velocity = velocity.message
    message.orientation = orientation.message
    message.vitals = vitals.message
    message.score = score
    message.tick = tick
    message.latency = latency
    if let activity { message.activity = PBUpdateActivity(activity) }
    message.items = items.map { UInt32($0) }
    message.targets = targets
    return message
  }

  init(_ message: PBUpdate) {
    self.init(
      entityID: message.entityID,
      flags: UInt16(truncatingIfNeeded: message.flags),
      position: Updates.Vector(message.position),
      velocity: Updates.Vector(message.velocity),
      orientation: Updates.Orientation(message.orientation),
      vitals: Updates.Vitals(message.vitals),
      score: message.score,
      tick: message.tick,
      latency: message.latency,
      activity: message.hasActivity ? Updates.Activity(message.activity) : nil,
      items: message.items.map { UInt16(truncatingIfNeeded: $0) },
      targets: message.targets)
  }
}

extension Updates.Packet {
  var message: PBUpdatePacket {
    var message = PBUpdatePacket()
    message.sequence = sequence
    message.updates = updates.map(\.message)
    return message
  }

  init(_ message: PBUpdatePacket) {
    self.init(
      sequence: message.sequence,
      updates: message.updates.map { Updates.Update($0) })
  }
}

extension Updates: MessageConvertible {
  var message: PBUpdates {
    var message = PBUpdates()
    message.packets = packets.map(\.message)
    return message
  }

  init(_ message: PBUpdates) {
    self.init(
      packets: message.packets.map { Updates.Packet($0) })
  }
}
