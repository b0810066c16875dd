#if Remote
  import CommandSupport
  import Foundation
  import Keepsake
  import KeepsakeRemote

  extension RemoteAddress {
    /// Copies the files of a journal below this address into a directory; they are sealed as they are.
    func fetchJournalFiles(into directory: String) throws {
      guard isInStore else {
        throw Failure(
          "\(shown) is an address of a web server, which does not list the files of a journal; name an object store, as "
            + "s3://BUCKET/PREFIX.", .usage)
      }
      let bucket = bucket
      let prefix = key.isEmpty || key.hasSuffix("/") ? key : key + "/"
      let entries = try RemoteTask.value { () throws(RemoteError) in
        try await Self.store(bucket).list(prefix: prefix)
      }
      let names = entries.map { String($0.key.dropFirst(prefix.count)) }
        .filter { !$0.contains("/") && ($0.hasSuffix(".journal") || $0 == "retention") }
      guard !names.isEmpty else {
        throw Failure("There are no files of a journal at \(shown). Check the address.", .noInput)
      }
      for name in names { try fetch(prefix + name, to: directory + "/" + name) }
    }

    private func fetch(_ key: String, to path: String) throws {
      let object: RemoteObject
      do throws(RemoteError) {
        object = try Self.store(bucket).object(key)
      } catch {
        throw Failure(error)
      }
      let file = try RemoteFile(object)
      guard FileManager.default.createFile(atPath: path, contents: nil),
        let handle = FileHandle(forWritingAtPath: path)
      else { throw noRoom }
      try file.forEachPiece { piece in
        do {
          try handle.write(contentsOf: Data(piece))
        } catch {
          throw noRoom
        }
      }
      try handle.close()
    }

    private var noRoom: Failure {
      Failure(
        "The files of the journal do not fit into the directory for temporary files; name one with more room by TMPDIR.",
        .inputOutput)
    }
  }
#endif
