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

  /// Looks at what a path names; `-` is standard input.
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

  /// Reads all bytes.
  func bytes(upTo limit: Int) throws -> [UInt8] {
    switch self {
    case .path(let path): try DurableFile.read(at: path, upTo: limit)
    case .stream(let stream): try stream.readPlain(upTo: limit)
    case .remote(let address): try address.open().readAll(upTo: limit, named: address.shown)
    }
  }
}
