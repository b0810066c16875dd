import Foundation
import Testing

/// The steps of a replacement on a disk, and the states that a crash can leave when a file system keeps only
/// synchronised data and names.
struct DiskModel {
  enum Step: Equatable {
    /// The temporary file gets its name.
    case create
    /// Some bytes of the temporary file are written.
    case write(Range<Int>)
    case synchronizeFile
    /// The target's name goes to the new file; with a link, the temporary name stays.
    case rename, link
    /// The temporary name is removed.
    case unlink
    case synchronizeDirectory
  }

  /// One state that a crash can leave.
  struct State: Hashable {
    var hasTemporaryName = false
    var targetIsNew = false
    /// The new file's bytes, zero in blocks that were not written.
    var content: [UInt8] = []
  }

  static let blockSize = 4_096

  let steps: [Step]
  /// All bytes of the new file.
  let bytes: [UInt8]

  /// Takes the steps from strace's output for an operation.
  init(_ calls: [SystemCall], bytes: [UInt8]) throws {
    self.bytes = bytes
    var steps: [Step] = []
    var file: Substring?
    for call in calls where !call.isAfterReturn {
      let descriptor = call.line.prefix { $0.isNumber }
      switch call.name {
      case "openat" where call.line.contains("O_EXCL"):
        file = call.line.split(separator: " ").last
        steps.append(.create)
      case "pwrite64" where descriptor == file:
        let numbers = try #require(call.line.firstMatch(of: /, (\d+), (\d+)\) += (\d+)$/))
        let offset = try #require(Int(numbers.2))
        let count = try #require(Int(numbers.3))
        steps.append(.write(offset..<offset + count))
      case "fsync": steps.append(descriptor == file ? .synchronizeFile : .synchronizeDirectory)
      // `renameat2` is called with RENAME_NOREPLACE.
      case "renameat", "renameat2": steps.append(.rename)
      case "linkat": steps.append(.link)
      case "unlinkat": steps.append(.unlink)
      default: continue
      }
    }
    self.steps = steps
  }

  init(steps: [Step], bytes: [UInt8]) {
    self.steps = steps
    self.bytes = bytes
  }

  /// All states that a crash after the first `count` steps can leave.
  func states(after count: Int) -> Set<State> {
    let done = steps[..<count]
    let names = names(done)
    var states: Set<State> = []
    for content in contents(done) {
      for (hasTemporaryName, targetIsNew) in names {
        states.insert(
          State(
            hasTemporaryName: hasTemporaryName, targetIsNew: targetIsNew, content: content))
      }
    }
    return states
  }

  /// The possible values of the two names: for each independently, any of its values since the last
  /// synchronisation.
  private func names(_ done: ArraySlice<Step>) -> [(Bool, Bool)] {
    var temporary: Set<Bool> = [false]
    var target: Set<Bool> = [false]
    var now = (temporary: false, target: false)
    for step in done {
      switch step {
      case .create: now.temporary = true
      case .rename: now = (false, true)
      case .link: now.target = true
      case .unlink: now.temporary = false
      case .synchronizeDirectory:
        temporary = []
        target = []
      case .write, .synchronizeFile: continue
      }
      temporary.insert(now.temporary)
      target.insert(now.target)
    }
    return temporary.flatMap { name in target.map { (name, $0) } }
  }

  /// The possible contents of the file: the synchronised bytes, and any of the blocks written since, up to
  /// any of their ends.
  private func contents(_ done: ArraySlice<Step>) -> Set<[UInt8]> {
    var written = 0
    var durable = 0
    for step in done {
      if case .write(let range) = step { written = max(written, range.upperBound) }
      if step == .synchronizeFile { durable = written }
    }
    let blocks = Array(durable / Self.blockSize..<(written + Self.blockSize - 1) / Self.blockSize)
    guard durable < written else { return [Array(bytes[..<durable])] }
    var contents: Set<[UInt8]> = []
    for choice in 0..<(1 << blocks.count) {
      var content = bytes[..<durable] + Array(repeating: 0, count: written - durable)
      for (index, block) in blocks.enumerated() where choice >> index & 1 == 1 {
        let range =
          max(block * Self.blockSize, durable)..<min((block + 1) * Self.blockSize, written)
        content.replaceSubrange(range, with: bytes[range])
      }
      for end in [durable, written] + blocks.map({ $0 * Self.blockSize }) where end >= durable {
        contents.insert(Array(content[..<min(end, written)]))
      }
    }
    return contents
  }
}
