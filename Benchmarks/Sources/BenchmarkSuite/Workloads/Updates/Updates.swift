/// The updates of a game for its players: packets of small records of numbers of mixed width.
struct Updates: Codable, Equatable, Sendable {
  enum Activity: UInt8, Codable, CaseIterable, Sendable {
    case idle, walking, running, jumping, swimming, fighting
  }

  struct Vector: Codable, Equatable, Sendable {
    var x: Float = 0
    var y: Float = 0
    var z: Float = 0
  }

  struct Orientation: Codable, Equatable, Sendable {
    var yaw: Int16 = 0
    var pitch: Int16 = 0
    var roll: Int8 = 0
  }

  struct Vitals: Codable, Equatable, Sendable {
    var health: Int16 = 0
    var armor: UInt16 = 0
    var stamina: UInt8 = 0
    var level: UInt8 = 0
    var experience: Int64 = 0
  }

  struct Update: Codable, Equatable, Sendable {
    var entityID: UInt32 = 0
    var flags: UInt16 = 0
    var position = Vector()
    var velocity = Vector()
    var orientation = Orientation()
    var vitals = Vitals()
    var score: Int32 = 0
    var tick: UInt64 = 0
    var latency: Double = 0
    var activity: Activity?
    var items: [UInt16] = []
    var targets: [UInt32] = []
  }

  struct Packet: Codable, Equatable, Sendable {
    var sequence: UInt32 = 0
    var updates: [Update] = []
  }

  var packets: [Packet] = []
}
