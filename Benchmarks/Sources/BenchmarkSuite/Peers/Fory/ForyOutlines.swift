import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyOutlines {
    @ForyStruct(target: Outlines.Outline.self)
    struct OutlineSerializer {
      var coordinates: [[Double]]
    }

    @ForyStruct(target: Outlines.self)
    struct RootSerializer {
      @ListField(element: .with(OutlineSerializer.self))
      var outlines: [Outlines.Outline]
    }

    static func register(with fory: Fory) throws {
      try fory.register(OutlineSerializer.self, id: 1)
      try fory.register(RootSerializer.self, id: 2)
    }
  }
#endif

extension Contenders where Value == Outlines {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyOutlines.register,
        encode: { try $0.serialize($1, with: ForyOutlines.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyOutlines.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
