#if Remote
  import CommandSupport
  import Keepsake
  import KeepsakeRemote

  extension RemoteAddress {
    /// Lists the files of a journal below this address.
    func remoteJournal(with keys: JournalKeys) throws -> JournalDirectory {
      guard isInStore else {
        throw Failure(
          "\(shown) is an address of a web server, which does not list the files of a journal; name an object store, as "
            + "s3://BUCKET/PREFIX.", .usage)
      }
      let (bucket, key) = (bucket, key)
      return try RemoteTask.value { () throws(RemoteError) in
        try await RemoteJournal.open(in: Self.store(bucket), prefix: key, with: keys)
      }.directory
    }
  }
#endif
