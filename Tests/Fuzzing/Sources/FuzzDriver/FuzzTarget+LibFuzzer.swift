#if FUZZING
  internal import CLibFuzzer

  extension FuzzTarget {
    /// The target of this process, since libFuzzer's callbacks have no context argument.
    nonisolated(unsafe) static var current: FuzzTarget?

    func runLibFuzzer() -> Int32 {
      var count = CommandLine.argc
      var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        unsafe CommandLine
        .unsafeArgv
      return unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
        unsafe FuzzTarget.current?.body(input)
        return 0
      }
    }
  }

  /// Mutates as libFuzzer does, then repairs; one in four inputs is not repaired.
  @_cdecl("LLVMFuzzerCustomMutator")
  func mutate(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int, _ seed: UInt32
  ) -> Int {
    let count = unsafe LLVMFuzzerMutate(data, size, maximum)
    guard let target = unsafe FuzzTarget.current, seed % 4 != 0 else { return count }
    let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    let repaired = target.repair(input, seed / 4)
    guard repaired.count <= maximum else { return count }
    for (index, byte) in repaired.enumerated() { unsafe data[index] = byte }
    return repaired.count
  }
#endif
