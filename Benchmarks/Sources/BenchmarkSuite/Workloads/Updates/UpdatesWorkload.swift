/// The 1,000 packets of the `updates` workload: 0 to 60 changes of a game's figures each.
///
/// The order of the draws is part of the workload: arguments are drawn as they are written.
enum UpdatesWorkload {
  typealias Generator = PermutedCongruentialGenerator

  static let packetCount = 1000

  static func make() throws -> Updates {
    var random = Generator(state: 20_260_104, stream: 4)
    let updates = Updates(
      packets: (0..<packetCount).map { number in
        Updates.Packet(
          sequence: UInt32(number), updates: random.list(shorterThan: 61) { update(number, &$0) })
      })
    try facts.verify(updates)
    return updates
  }

  private static let facts = WorkloadFacts(
    byteCount: 3_130_174,
    hash: "04603b847a401f8a820ebd66c98cc9f021dd8d6363298f936fa541bb181b350a")

  private static func update(_ number: Int, _ random: inout Generator) -> Updates.Update {
    Updates.Update(
      entityID: random.next32(below: 5000), flags: random.nextUInt16(),
      position: vector(1000, &random), velocity: vector(20, &random),
      orientation: Updates.Orientation(
        yaw: Int16(truncatingIfNeeded: random.nextUInt32()),
        pitch: Int16(random.number(-9000...9000)), roll: random.nextInt8()),
      vitals: Updates.Vitals(
        health: Int16(random.number(-10...1000)), armor: UInt16(random.next32(below: 1000)),
        stamina: UInt8(random.next32(below: 101)), level: UInt8(random.next32(below: 81)),
        experience: Int64(random.next64(below: 10_000_000))),
      score: Int32(random.number(-5000...1_000_000)), tick: 1_000_000 + UInt64(number) * 3,
      latency: Double(random.next32(below: 250_000)) / 1000,
      activity: random.optional { $0.element(of: Updates.Activity.allCases) },
      items: random.list(shorterThan: 9) { UInt16($0.next32(below: 2000)) },
      targets: random.list(shorterThan: 9) { $0.next32(below: 5000) })
  }

  private static func vector(_ size: Float, _ random: inout Generator) -> Updates.Vector {
    let x = (random.nextFloat() - 0.5) * size
    let y = (random.nextFloat() - 0.5) * size
    return Updates.Vector(x: x, y: y, z: (random.nextFloat() - 0.5) * size)
  }
}

extension Updates {
  /// The bytes of all numbers.
  var payloadSize: Int {
    packets.reduce(0) { sum, packet in
      packet.updates.reduce(sum + 4) { sum, update in
        // Position and velocity, orientation, vitals, the other numbers.
        sum + 24 + 5 + 14 + 26 + (update.activity == nil ? 0 : 1) + 2 * update.items.count
          + 4 * update.targets.count
      }
    }
  }
}
