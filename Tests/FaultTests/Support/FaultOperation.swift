import Foundation
import KeepsakeSeal
import Testing

/// An operation of the subject, with the content of the directory before and after it.
struct FaultOperation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The subject's arguments, in which `%` is the directory.
  let arguments: [String]
  let old: DirectoryContent
  let new: DirectoryContent
  /// Further contents that a crash may leave.
  var between: [DirectoryContent] = []

  static let all = [
    seal, firstSeal, largeSeal, stream, rewrap, renew, contents, extract, replace, create, key,
    identity, move, preserve, remove, erase, directory, moveDirectory, moveLink, removeLink,
    removeDirectory,
  ]

  static let seal = FaultOperation(
    "seal", ["seal", "%/state", "2", "9000"],
    from: ["state": .sealed(generation: 1, plaintext(1, 5_000))],
    to: ["state": .sealed(generation: 2, plaintext(2, 9_000))])

  static let firstSeal = FaultOperation(
    "first seal", ["seal", "%/state", "2", "100"], from: [:],
    to: ["state": .sealed(generation: 2, plaintext(2, 100))])

  /// Three batches, so that the payload takes three writes.
  static let largeSeal = FaultOperation(
    "large seal", ["seal", "%/state", "2", "1200000"],
    from: ["state": .sealed(generation: 1, plaintext(1, 1_300_000))],
    to: ["state": .sealed(generation: 2, plaintext(2, 1_200_000))])

  /// For two recipients; the length of the plaintext is known only at the end.
  static let stream = FaultOperation(
    "stream", ["stream", "%/state", "2", "9000", "--pair"],
    from: ["state": .sealed(generation: 1, plaintext(1, 5_000))],
    to: ["state": .sealed(generation: 2, plaintext(2, 9_000), slots: 2)])

  /// Uses one thread for each processor.
  static let threadedSeal = FaultOperation(
    "threaded seal", largeSeal.arguments + ["--threads"], from: largeSeal.old.entries,
    to: largeSeal.new.entries)

  static let threadedStream = FaultOperation(
    "threaded stream", ["stream"] + largeSeal.arguments.dropFirst() + ["--threads"],
    from: largeSeal.old.entries, to: largeSeal.new.entries)

  /// Also for a passphrase, which needs the memory of Argon2id.
  static let allSeal = FaultOperation(
    "seal for all", ["seal", "%/state", "2", "100", "--all"], from: [:],
    to: ["state": .sealed(generation: 2, plaintext(2, 100), slots: 3)])

  static let rewrap = FaultOperation(
    "rewrap", ["rewrap", "%/state"],
    from: ["state": .sealed(generation: 1, plaintext(1, 5_000))],
    to: ["state": .sealed(generation: 1, plaintext(1, 5_000), slots: 2)])

  static let renew = FaultOperation(
    "reseal", ["renew", "%/state", "2"],
    from: ["state": .sealed(generation: 1, plaintext(1, 5_000))],
    to: ["state": .sealed(generation: 2, plaintext(1, 5_000))])

  static let contents = FaultOperation(
    "seal a file", ["contents", "%/state", "%/plain"],
    from: ["plain": .bytes(plaintext(3, 9_000))],
    to: [
      "plain": .bytes(plaintext(3, 9_000)), "state": .sealed(generation: 2, plaintext(3, 9_000)),
    ])

  static let extract = FaultOperation(
    "extract", ["extract", "%/state", "%/plain"],
    from: [
      "plain": .bytes(plaintext(3, 100)), "state": .sealed(generation: 1, plaintext(1, 5_000)),
    ],
    to: [
      "plain": .bytes(plaintext(1, 5_000)), "state": .sealed(generation: 1, plaintext(1, 5_000)),
    ])

  static let replace = FaultOperation(
    "replace", ["replace", "%/state", "2", "70000"], from: ["state": .bytes(plaintext(1, 60_000))],
    to: ["state": .bytes(plaintext(2, 70_000))])

  /// Has few enough blocks to test all their combinations.
  static let smallReplace = FaultOperation(
    "small replace", ["replace", "%/state", "2", "22000"],
    from: ["state": .bytes(plaintext(1, 6_000))], to: ["state": .bytes(plaintext(2, 22_000))])

  static let create = FaultOperation(
    "create", ["create", "%/state", "2", "3000"], from: [:],
    to: ["state": .bytes(plaintext(2, 3_000))])

  static let key = FaultOperation("key", ["key", "%/new.key"], from: [:], to: ["new.key": .key])

  static let identity = FaultOperation(
    "identity", ["identity", "%/new.identity"], from: [:], to: ["new.identity": .key])

  static let move = FaultOperation(
    "move", ["move", "%/state", "%/moved"], from: ["state": .bytes(plaintext(1, 10))],
    to: ["moved": .bytes(plaintext(1, 10))],
    or: [["state": .bytes(plaintext(1, 10)), "moved": .bytes(plaintext(1, 10))]])

  static let preserve = FaultOperation(
    "preserve", ["preserve", "%/state", "%/kept"], from: ["state": .bytes(plaintext(1, 10))],
    to: ["state": .bytes(plaintext(1, 10)), "kept": .bytes(plaintext(1, 10))])

  static let remove = FaultOperation(
    "remove", ["remove", "%/state"], from: ["state": .bytes(plaintext(1, 10))], to: [:])

  /// A file that is overwritten and not yet removed is all zeros.
  static let erase = FaultOperation(
    "erase", ["erase", "%/state"], from: ["state": .bytes(plaintext(1, 10))], to: [:],
    or: [["state": .bytes(plaintext(0, 10))]])

  static let directory = FaultOperation(
    "directory", ["directory", "%/a/b/c"], from: [:],
    to: ["a": .directory, "a/b": .directory, "a/b/c": .directory],
    or: [["a": .directory], ["a": .directory, "a/b": .directory]])

  static let moveDirectory = FaultOperation(
    "move a directory", ["move-entry", "%/from", "%/to"],
    from: ["from": .directory, "from/inner": .directory],
    to: ["to": .directory, "to/inner": .directory])

  /// Without an exclusive renaming, a link gets its second name before it loses the first.
  static let moveLink = FaultOperation(
    "move a link", ["move-entry", "%/from", "%/to"], from: ["from": .link(to: "nowhere")],
    to: ["to": .link(to: "nowhere")],
    or: [["from": .link(to: "nowhere"), "to": .link(to: "nowhere")]])

  static let removeLink = FaultOperation(
    "remove a link", ["remove-entry", "%/link"], from: ["link": .link(to: "nowhere")], to: [:])

  static let removeDirectory = FaultOperation(
    "remove a directory", ["remove-entry", "%/inner"], from: ["inner": .directory], to: [:])

  init(
    _ name: String, _ arguments: [String], from old: [String: DirectoryContent.Entry],
    to new: [String: DirectoryContent.Entry], or between: [[String: DirectoryContent.Entry]] = []
  ) {
    testDescription = name
    self.arguments = arguments
    self.old = DirectoryContent(old)
    self.new = DirectoryContent(new)
    self.between = between.map { DirectoryContent($0) }
  }

  func arguments(in directory: String) -> [String] {
    arguments.map { $0.replacingOccurrences(of: "%", with: directory) }
  }

  /// True when the operation writes a temporary file, which a crash may leave.
  var leavesStrays: Bool {
    ![
      "move", "preserve", "remove", "erase", "directory", "move-entry", "remove-entry",
    ].contains(arguments.first)
  }

  /// True when a failure may leave a part of the change, as the operation's documentation states.
  var isStepwise: Bool {
    ["directory", "move", "erase"].contains(arguments.first)
  }

  /// True when the operation needs no more descriptors than loading the program does.
  var needsNoDescriptors: Bool { ["remove", "remove-entry"].contains(arguments.first) }

  /// Fills an empty directory with the initial files of the operation.
  func prepare(_ directory: String, key: SealKey) throws {
    for (name, entry) in old.entries.sorted(by: { $0.key < $1.key }) {
      let path = directory + "/" + name
      switch entry {
      case .bytes(let bytes): try Data(bytes).write(to: URL(fileURLWithPath: path))
      case .sealed(let generation, let bytes, _):
        try SealedFile.seal(
          bytes.span, to: path, for: [.key(key)],
          options: SealOptions(chunkSize: .kibibytes4, generation: generation))
      case .directory: try DurableFile.createDirectory(at: path)
      case .link(let target):
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      case .key: throw FaultFailure("no operation starts from it")
      }
    }
  }

  /// The state of a directory; nil when it is not a state of the operation.
  func outcome(of content: DirectoryContent) -> Outcome? {
    if content.entries == old.entries { return .old }
    if content.entries == new.entries { return .new }
    return between.contains { $0.entries == content.entries } ? .between : nil
  }
}
