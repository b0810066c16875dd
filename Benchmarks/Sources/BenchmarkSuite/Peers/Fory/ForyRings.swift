import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyRings {
    @ForyStruct(target: Rings.Point.self)
    struct PointSerializer {
      var x: Double
      var y: Double
    }

    @ForyStruct(target: Rings.Ring.self)
    struct RingSerializer {
      @ListField(element: .with(PointSerializer.self))
      var points: [Rings.Point]
    }

    @ForyStruct(target: Rings.self)
    struct RootSerializer {
      @ListField(element: .with(RingSerializer.self))
      var rings: [Rings.Ring]
    }

    static func register(with fory: Fory) throws {
      try fory.register(PointSerializer.self, id: 1)
      try fory.register(RingSerializer.self, id: 2)
      try fory.register(RootSerializer.self, id: 3)
    }
  }
#endif

extension Contenders where Value == Rings {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyRings.register,
        encode: { try $0.serialize($1, with: ForyRings.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyRings.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
