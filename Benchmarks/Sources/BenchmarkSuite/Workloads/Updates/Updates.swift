/// What a game tells its players: packets of small records of numbers of mixed width.
struct Updates: Codable, Equatable, Sendable {
  enum Activity: UInt8, Codable, CaseIterable, Sendable {
    case idle, walking, running, jumping, swimming, fighting
  }

  struct Vector: Codable, Equatable, Sendable {
    var x: Float
    var y: Float
    var z: Float
  }

  struct Orientation: Codable, Equatable, Sendable {
    var yaw: Int16
    var pitch: Int16
    var roll: Int8
  }

  struct Vitals: Codable, Equatable, Sendable {
    var health: Int16
    var armor: UInt16
    var stamina: UInt8
    var level: UInt8
    var experience: Int64
  }

  struct Update: Codable, Equatable, Sendable {
    var entityID: UInt32
    var flags: UInt16
    var position: Vector
    var velocity: Vector
    var orientation: Orientation
    var vitals: Vitals
    var score: Int32
    var tick: UInt64
    var latency: Double
    var activity: Activity?
    var items: [UInt16]
    var targets: [UInt32]
  }

  struct Packet: Codable, Equatable, Sendable {
    var sequence: UInt32
    var updates: [Update]
  }

  var packets: [Packet]
}
