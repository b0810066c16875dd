import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyUpdates {
    @ForyEnum(target: Updates.Activity.self)
    enum ActivitySerializer {
      case idle, walking, running, jumping, swimming, fighting
    }

    @ForyStruct(target: Updates.Vector.self)
    struct VectorSerializer {
      var x: Float
      var y: Float
      var z: Float
    }

    @ForyStruct(target: Updates.Orientation.self)
    struct OrientationSerializer {
      var yaw: Int16
      var pitch: Int16
      var roll: Int8
    }

    @ForyStruct(target: Updates.Vitals.self)
    struct VitalsSerializer {
      var health: Int16
      var armor: UInt16
      var stamina: UInt8
      var level: UInt8
      var experience: Int64
    }

    @ForyStruct(target: Updates.Update.self)
    struct UpdateSerializer {
      var entityID: UInt32
      var flags: UInt16
      @ForyField(with: VectorSerializer.self)
      var position: Updates.Vector
      @ForyField(with: VectorSerializer.self)
      var velocity: Updates.Vector
      @ForyField(with: OrientationSerializer.self)
      var orientation: Updates.Orientation
      @ForyField(with: VitalsSerializer.self)
      var vitals: Updates.Vitals
      var score: Int32
      var tick: UInt64
      var latency: Double
      @ForyField(with: OptionalSerializer<ActivitySerializer>.self)
      var activity: Updates.Activity?
      var items: [UInt16]
      var targets: [UInt32]
    }

    @ForyStruct(target: Updates.Packet.self)
    struct PacketSerializer {
      var sequence: UInt32
      @ListField(element: .with(UpdateSerializer.self))
      var updates: [Updates.Update]
    }

    @ForyStruct(target: Updates.self)
    struct RootSerializer {
      @ListField(element: .with(PacketSerializer.self))
      var packets: [Updates.Packet]
    }

    static func register(with fory: Fory) throws {
      try fory.register(ActivitySerializer.self, id: 1)
      try fory.register(VectorSerializer.self, id: 2)
      try fory.register(OrientationSerializer.self, id: 3)
      try fory.register(VitalsSerializer.self, id: 4)
      try fory.register(UpdateSerializer.self, id: 5)
      try fory.register(PacketSerializer.self, id: 6)
      try fory.register(RootSerializer.self, id: 7)
    }
  }
#endif

extension Contenders where Value == Updates {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyUpdates.register,
        encode: { try $0.serialize($1, with: ForyUpdates.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyUpdates.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
