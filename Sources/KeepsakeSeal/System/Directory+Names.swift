#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Directory {
  /// Gives the file `name` the name `newName`, in place of whatever file has it.
  func replace(_ newName: String, with name: String) throws(SystemFailure) {
    let directory = descriptor.rawValue
    try retrying("renameat") { unsafe renameat(directory, name, directory, newName) }
  }

  /// Moves the file `name` to `newName` in `target`, where nothing may have that name.
  func move(_ name: String, to target: Directory, as newName: String) throws(SystemFailure) {
    let from = descriptor.rawValue
    let to = target.descriptor.rawValue
    #if canImport(Darwin)
      try retrying("renameatx_np") {
        unsafe renameatx_np(from, name, to, newName, UInt32(RENAME_EXCL))
      }
    #else
      // A second name, then without the first: a name is never replaced, and a crash between
      // the two steps leaves the file under both.
      try retrying("linkat") { unsafe linkat(from, name, to, newName, 0) }
      do {
        try retrying("unlinkat") { unsafe unlinkat(from, name, 0) }
      } catch {
        // What has failed is to have changed nothing.
        try? target.remove(newName)
        throw error
      }
    #endif
  }

  /// Gives the file `name` a second name in `target`, where nothing may have that name.
  func link(_ name: String, in target: Directory, as newName: String) throws(SystemFailure) {
    try retrying("linkat") {
      unsafe linkat(descriptor.rawValue, name, target.descriptor.rawValue, newName, 0)
    }
  }

  /// Takes the name `name` away.
  func remove(_ name: String) throws(SystemFailure) {
    try retrying("unlinkat") { unsafe unlinkat(descriptor.rawValue, name, 0) }
  }

  /// Creates the directory `name`.
  func createDirectory(_ name: String, mode: UInt32) throws(SystemFailure) {
    try retrying("mkdirat") { unsafe mkdirat(descriptor.rawValue, name, mode_t(mode)) }
  }

  /// Takes the empty directory `name` away.
  func removeDirectory(_ name: String) throws(SystemFailure) {
    try retrying("unlinkat") { unsafe unlinkat(descriptor.rawValue, name, AT_REMOVEDIR) }
  }

  /// The names in the directory for which `isIncluded` holds, among its first `limit` names.
  func names(
    limit: Int, where isIncluded: (String) -> Bool
  ) throws(SystemFailure) -> [String] {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let copy = try retrying("openat") { unsafe openat(descriptor.rawValue, ".", flags) }
    guard let stream = unsafe fdopendir(copy) else {
      let number = errno
      close(copy)
      throw SystemFailure(call: "fdopendir", number: number)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    var seen = 0
    while seen < limit, let entry = unsafe readdir(stream) {
      seen += 1
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isIncluded(name) { names.append(name) }
    }
    return names
  }
}
