#if FORY
  import BenchmarkHarness
  import Fory
  import Foundation

  extension Contenders {
    /// Code that Fory's macros generated, with its default limits raised if the workload needs it.
    ///
    /// The closures are written where the types are known, so that the code is specialised for them.
    func fory(
      register: @escaping (Fory) throws -> Void,
      encode: @escaping (Fory, Value) throws -> Data,
      decode: @escaping (Fory, Data) throws -> Value
    ) -> [Benchmark] {
      let remark = "no identity, no lazy reading; generated code"
      return [("", true), ("same schema", false)].flatMap { variant, evolves in
        let fory = Fixture {
          let fory = Fory(compatible: evolves, maxDepth: 16)
          try register(fory)
          return fory
        }
        return roundTrip(
          .fory, variant: variant.isEmpty ? nil : variant, remark: remark, count: \.count,
          encode: { try encode(fory.value(), $0) }, decode: { try decode(fory.value(), $0) })
      }
    }
  }
#endif
