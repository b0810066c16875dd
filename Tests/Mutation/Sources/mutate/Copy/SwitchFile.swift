/// The file that is added to each module of the copy: it decides which mutant runs.
enum SwitchFile {
  static let functionName = "isMutantActive"
  static let fileName = "MutantSwitch.swift"
  /// The variable with the number of the mutant that runs in a process; without it none runs.
  static let activeVariable = "MUTATION_ACTIVE"
  /// The variable with the path of a file of one byte for each mutant, which becomes 1 when its place is reached.
  static let reachedVariable = "MUTATION_REACHED"

  /// The source of the switch, which reads the environment once.
  ///
  /// The bytes are shared memory, so that they also have the places that a crashed process or its children reached.
  static let text = """
    #if canImport(Glibc)
      internal import Glibc
    #else
      internal import Darwin
    #endif

    private nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8>? = {
      guard let path = unsafe getenv("\(reachedVariable)") else { return nil }
      let file = unsafe open(path, O_RDWR)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let size = Int(lseek(file, 0, SEEK_END))
      let map = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      guard let map = unsafe map, unsafe map != MAP_FAILED else { return nil }
      return unsafe map.bindMemory(to: UInt8.self, capacity: size)
    }()

    private let activeMutant: Int = {
      guard let text = unsafe getenv("\(activeVariable)") else { return -1 }
      return Int(unsafe String(cString: text)) ?? -1
    }()

    @usableFromInline @inline(never) func \(functionName)(_ number: Int) -> Bool {
      if let reached = unsafe reachedMutants { unsafe reached[number] = 1 }
      return number == activeMutant
    }

    """
}
