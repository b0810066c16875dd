import KeepsakeArchive

extension Updates.Activity: ArchiveValue {}

extension Updates.Vector: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
    coder.encode(z, forKey: "z")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(forKey: "x")
    y = try coder.decode(forKey: "y")
    z = try coder.decode(forKey: "z")
  }
}

extension Updates.Orientation: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(yaw, forKey: "yaw")
    coder.encode(pitch, forKey: "pitch")
    coder.encode(roll, forKey: "roll")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    yaw = try coder.decode(forKey: "yaw")
    pitch = try coder.decode(forKey: "pitch")
    roll = try coder.decode(forKey: "roll")
  }
}

extension Updates.Vitals: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(health, forKey: "health")
    coder.encode(armor, forKey: "armor")
    coder.encode(stamina, forKey: "stamina")
    coder.encode(level, forKey: "level")
    coder.encode(experience, forKey: "experience")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    health = try coder.decode(forKey: "health")
    armor = try coder.decode(forKey: "armor")
    stamina = try coder.decode(forKey: "stamina")
    level = try coder.decode(forKey: "level")
    experience = try coder.decode(forKey: "experience")
  }
}

extension Updates.Update: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(entityID, forKey: "entityID")
    coder.encode(flags, forKey: "flags")
    coder.encode(position, forKey: "position")
    coder.encode(velocity, forKey: "velocity")
    coder.encode(orientation, forKey: "orientation")
    coder.encode(vitals, forKey: "vitals")
    coder.encode(score, forKey: "score")
    coder.encode(tick, forKey: "tick")
    coder.encode(latency, forKey: "latency")
    coder.encode(activity, forKey: "activity")
    coder.encode(items, forKey: "items")
    coder.encode(targets, forKey: "targets")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    entityID = try coder.decode(forKey: "entityID")
    flags = try coder.decode(forKey: "flags")
    position = try coder.decode(forKey: "position")
    velocity = try coder.decode(forKey: "velocity")
    orientation = try coder.decode(forKey: "orientation")
    vitals = try coder.decode(forKey: "vitals")
    score = try coder.decode(forKey: "score")
    tick = try coder.decode(forKey: "tick")
    latency = try coder.decode(forKey: "latency")
    activity = try coder.decode(forKey: "activity")
    items = try coder.decode(forKey: "items")
    targets = try coder.decode(forKey: "targets")
  }
}

extension Updates.Packet: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(sequence, forKey: "sequence")
    coder.encode(updates, forKey: "updates")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    sequence = try coder.decode(forKey: "sequence")
    updates = try coder.decode(forKey: "updates")
  }
}

extension Updates {
  /// An archive with one object for each packet.
  func archive() throws -> [UInt8] {
    try Records.archive(packets, typeName: "Packet")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(packets: try Records.unarchive(bytes))
  }
}
