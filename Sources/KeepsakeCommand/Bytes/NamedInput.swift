import CommandSupport
import Foundation
import Keepsake

/// A file that the user names: the library takes regular files by their own path, so the command follows links, and
/// reads pipes and devices itself.
enum NamedInput {
  /// The path of a regular file, a directory or nothing.
  case path(String)
  /// A pipe, a device, or a file that has no name any more.
  case stream(ByteStream)
  /// An object in an object store, or a file on a web server.
  case remote(RemoteAddress)

  /// Finds out the kind of file that a path names; `-` is standard input.
  init(_ argument: String) throws {
    guard argument != "-" else {
      self = .stream(.standardInput)
      return
    }
    if let address = RemoteAddress(argument) {
      self = .remote(address)
      return
    }
    switch try DurableFile.kind(of: argument) {
    case .absent, .regular, .directory: self = .path(argument)
    case .other: self = .stream(try ByteStream(path: argument))
    case .symbolicLink:
      let target = URL(fileURLWithPath: argument).resolvingSymlinksInPath().path
      switch try DurableFile.kind(of: target) {
      case .regular, .directory: self = .path(target)
      // A link to no file is not resolved.
      case .absent where DescriptorPath.number(in: argument) == nil,
        .symbolicLink where DescriptorPath.number(in: argument) == nil:
        let stated = try FileManager.default.destinationOfSymbolicLink(atPath: argument)
        throw Failure(
          "\"\(argument)\" is a symbolic link to \"\(stated)\", where there is no file. Check the link.",
          .noInput)
      case .absent, .symbolicLink, .other: self = .stream(try ByteStream(path: argument))
      }
    }
  }

  /// Passes all bytes to a closure, piece by piece, with their number where it is known; throws when a file has changed
  /// meanwhile.
  func forEachPiece(
    of pieces: InputPieces, _ body: (_ piece: [UInt8], _ total: Int?) throws -> Void
  ) throws {
    switch self {
    case .path(let path):
      let (file, status) = try FileLocation(path).openRegularFile()
      var offset: UInt64 = 0
      while true {
        let piece = try file.readUp(to: 1 << 20, at: offset, path: path)
        if piece.isEmpty { break }
        offset += UInt64(piece.count)
        try body(piece, Int(clamping: status.size))
      }
      let after: FileStatus
      do throws(SystemFailure) {
        after = try file.status()
      } catch {
        throw FileError(error, path: path)
      }
      guard after.isUnchanged(since: status), after.changed == status.changed else {
        throw FileError(.changedMeanwhile, path: path, detail: "it changed while it was read")
      }
    case .stream(let stream): try stream.forEachPiece(of: pieces) { try body($0, nil) }
    case .remote(let address):
      let source = try address.open()
      try source.forEachPiece { try body($0, source.byteCount) }
    }
  }

  func bytes(upTo limit: Int) throws -> [UInt8] {
    switch self {
    case .path(let path): try DurableFile.read(at: path, upTo: limit)
    case .stream(let stream): try stream.readPlain(upTo: limit)
    case .remote(let address): try address.open().readAll(upTo: limit, named: address.shown)
    }
  }
}
