#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Directory {
  /// Renames the file `name` to `newName`, and replaces a file that has the new name.
  func replace(_ newName: String, with name: String) throws(SystemFailure) {
    let directory = descriptor.rawValue
    try retrying("renameat") { unsafe renameat(directory, name, directory, newName) }
  }

  /// Moves the file `name` to the name `newName`, which must be unused in `target`, in one step.
  ///
  /// Some file systems cannot do this (``SystemFailure/isUnsupported``).
  func moveExclusively(
    _ name: String, to target: Directory, as newName: String
  ) throws(SystemFailure) {
    try rename(name, to: target, as: newName, flags: RenameFlag.exclusive)
  }

  /// Moves a file as ``moveExclusively(_:to:as:)`` does, in two steps: add the new name, then remove the old
  /// one.
  ///
  /// A crash in between leaves the file under both names.
  func moveByLink(_ name: String, to target: Directory, as newName: String) throws(SystemFailure) {
    try link(name, in: target, as: newName)
    do {
      try remove(name)
    } catch {
      // The new name is removed again, so that a failed call changes nothing.
      try? target.remove(newName)
      throw error
    }
  }

  /// Exchanges the files of two names in one step.
  ///
  /// Some file systems cannot do this (``SystemFailure/isUnsupported``).
  func exchange(_ name: String, with other: String) throws(SystemFailure) {
    try rename(name, to: self, as: other, flags: RenameFlag.exchange)
  }

  /// Moves the directory `name` to `newName` in `target`.
  func rename(_ name: String, to target: Directory, as newName: String) throws(SystemFailure) {
    try retrying("renameat") {
      unsafe renameat(descriptor.rawValue, name, target.descriptor.rawValue, newName)
    }
  }

  /// Gives the file `name` the second name `newName`, which must be unused in `target`.
  func link(_ name: String, in target: Directory, as newName: String) throws(SystemFailure) {
    try retrying("linkat") {
      unsafe linkat(descriptor.rawValue, name, target.descriptor.rawValue, newName, 0)
    }
  }

  /// Removes the entry `name`, which must not be a directory.
  package func remove(_ name: String) throws(SystemFailure) {
    try retrying("unlinkat") { unsafe unlinkat(descriptor.rawValue, name, 0) }
  }

  func createDirectory(_ name: String, mode: UInt32) throws(SystemFailure) {
    try retrying("mkdirat") { unsafe mkdirat(descriptor.rawValue, name, mode_t(mode)) }
  }

  /// Removes the empty directory `name`.
  func removeDirectory(_ name: String) throws(SystemFailure) {
    try retrying("unlinkat") { unsafe unlinkat(descriptor.rawValue, name, AT_REMOVEDIR) }
  }

  /// The first `limit` names for which `isIncluded` holds, among the first `seenLimit` names in the
  /// directory.
  func names(
    limit: Int = .max, among seenLimit: Int, where isIncluded: (String) -> Bool
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
    while seen < seenLimit, names.count < limit {
      // `readdir` returns nil at the end and after a failure; only a failure sets `errno`.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        let number = errno
        guard number == 0 else { throw SystemFailure(call: "readdir", number: number) }
        break
      }
      seen += 1
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isIncluded(name) { names.append(name) }
    }
    return names
  }
}

/// Flags of the system's extended rename call, which `renameat` does not have.
private enum RenameFlag {
  #if canImport(Darwin)
    static let exclusive = UInt32(RENAME_EXCL)
    static let exchange = UInt32(RENAME_SWAP)
  #else
    // RENAME_NOREPLACE and RENAME_EXCHANGE of linux/fs.h.
    static let exclusive: UInt32 = 1
    static let exchange: UInt32 = 2
  #endif
}

extension Directory {
  private func rename(
    _ name: String, to target: Directory, as newName: String, flags: UInt32
  ) throws(SystemFailure) {
    let (from, to) = (descriptor.rawValue, target.descriptor.rawValue)
    #if canImport(Darwin)
      try retrying("renameatx_np") { unsafe renameatx_np(from, name, to, newName, flags) }
    #else
      guard let renameat2 = unsafe renameat2 else {
        throw SystemFailure(call: "renameat2", number: ENOSYS)
      }
      try retrying("renameat2") { unsafe renameat2(from, name, to, newName, flags) }
    #endif
  }
}

#if !canImport(Darwin)
  private typealias Renameat2 =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32

  /// `renameat2`, which the C library's module does not export to Swift; nil when the library lacks it.
  private let renameat2: Renameat2? =
    unsafe dlsym(nil, "renameat2").map { unsafe unsafeBitCast($0, to: Renameat2.self) }
#endif
