import Foundation
import Testing

/// An ext4 image that has the old state of an operation each time it is mounted first.
final class PowerCutDisk {
  let scene: Scene
  private let system: FileSystem
  private let image: String
  private let pristine: String
  private var isPristine = false
  private var copies: [String] = []

  convenience init(for operation: FaultOperation) throws {
    try self.init { try $0.reset(for: operation) }
  }

  /// Makes a disk whose old state `fill` writes into the directory of the scene.
  init(fill: (Scene) throws -> Void) throws {
    // The image is in memory if possible, since it is written some thousand times.
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    image = memory + "/keepsake-image-" + UUID().uuidString
    pristine = image + ".old"
    try Command.succeed("truncate", "-s", "24M", pristine)
    try Command.succeed("mkfs.ext4", "-q", "-F", "-O", "^metadata_csum", pristine)
    system = try FileSystem.image(image)
    scene = try Scene(directory: system.path)
    try FileManager.default.copyItem(atPath: pristine, toPath: image)
    try system.mount("loop")
    try fill(scene)
    try system.unmount()
    try Command.succeed("cp", "--sparse=always", image, pristine)
    isPristine = true
  }

  deinit {
    for path in [image, pristine] + copies { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The system calls of the operation, traced on an image that is discarded.
  func calls(of operation: FaultOperation) throws -> [SystemCall] {
    try mount("defaults")
    let calls = try SystemCall.all(of: operation, in: scene, resetting: false)
    try unmount()
    return calls
  }

  /// Mounts the image; the first time and after `unmount`, it has the old state.
  func mount(_ options: String) throws {
    if !isPristine { try Command.succeed("cp", "--sparse=always", pristine, image) }
    isPristine = true
    try system.mount("loop,\(options)")
  }

  func unmount() throws {
    try system.unmount()
    isPristine = false
  }

  /// Cuts the file system off from its device and unmounts it; the image stays unchanged.
  func cutPower(mode: Int) throws {
    try Command.succeed(try Tools.powerCut.get(), scene.directory, String(mode))
    // Writes to a file system without power fail.
    let probe = try Command.run(["sh", "-c", "echo > \(scene.directory)/probe"])
    try #require(probe.status != 0, "the power cut did not fire")
    try system.unmount()
  }

  /// Copies the image as it is, mounted or not.
  func keepCopy() throws {
    copies.append("\(image).\(copies.count)")
    try Command.succeed("cp", "--sparse=always", image, copies[copies.count - 1])
  }

  /// Mounts a copy in place of the image.
  func mountCopy(_ index: Int) throws {
    try Command.succeed("cp", "--sparse=always", copies[index], image)
    isPristine = true
    try mount("defaults")
  }
}

extension SystemCall {
  /// True when the call concerns files; a cut before any other call finds the same disk.
  var canReachTheDisk: Bool {
    ![
      "mmap", "munmap", "mprotect", "madvise", "mlock", "munlock", "brk", "getrandom", "futex",
      "rt_sigprocmask",
    ].contains(name)
  }
}
