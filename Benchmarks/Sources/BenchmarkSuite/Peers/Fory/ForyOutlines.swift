import BenchmarkHarness

#if FORY
  import Fory

  /// What Apache Fory generates of the types of this workload.
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
  /// Apache Fory Swift, where its checkout was named to the build.
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
