import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyMesh {
    @ForyStruct(target: Mesh.Vector.self)
    struct VectorSerializer {
      var x: Float
      var y: Float
      var z: Float
    }

    @ForyStruct(target: Mesh.Triangle.self)
    struct TriangleSerializer {
      @ForyField(with: VectorSerializer.self)
      var v0: Mesh.Vector
      @ForyField(with: VectorSerializer.self)
      var v1: Mesh.Vector
      @ForyField(with: VectorSerializer.self)
      var v2: Mesh.Vector
      @ForyField(with: VectorSerializer.self)
      var normal: Mesh.Vector
    }

    @ForyStruct(target: Mesh.self)
    struct RootSerializer {
      @ListField(element: .with(TriangleSerializer.self))
      var triangles: [Mesh.Triangle]
    }

    static func register(with fory: Fory) throws {
      try fory.register(VectorSerializer.self, id: 1)
      try fory.register(TriangleSerializer.self, id: 2)
      try fory.register(RootSerializer.self, id: 3)
    }
  }
#endif

extension Contenders where Value == Mesh {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyMesh.register,
        encode: { try $0.serialize($1, with: ForyMesh.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyMesh.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
