#if !Remote
  import Foundation
  import Testing

  @Suite struct `Addresses in a tool that was built without the trait Remote` {
    @Test(arguments: ["s3://bucket/key", "https://example.com/file?signature=hidden", "HTTP://a/b"])
    func `Each verb that gets an address says how to build a tool that accepts it`(address: String)
      throws
    {
      try Workplace.with { place in
        try place.succeed("keygen", "key", "my.key")
        try place.write("plain", "text")
        let before = try place.names()
        for message in [
          try place.fail(64, "get", address, "name"), try place.fail(64, "inspect", address),
          try place.fail(64, "verify", address), try place.fail(64, "open", address),
          try place.fail(64, "seal", address, "-k", "my.key", "-o", "out"),
          try place.fail(64, "seal", "plain", "-k", "my.key", "-o", address),
          try place.fail(64, "journal", "cat", address, "-k", "my.key"),
        ] {
          #expect(message.contains("--traits Remote"), "\(message)")
          #expect(!message.contains("hidden"), "\(message)")
        }
        #expect(try place.fail(64, "open", "plain", "-o", address).contains("keepsake seal"))
        #expect(
          try place.fail(64, "journal", "append", address, "-k", "my.key").contains("journal cat"))
        #expect(try place.names() == before)
      }
    }

    @Test func `A password in an address is not shown`() throws {
      try Workplace.with { place in
        let message = try place.fail(64, "inspect", "https://me:secret@example.com/a@b")
        #expect(message.contains("https://example.com/a@b") && !message.contains("secret"))
        let stored = try place.fail(64, "inspect", "s3://me:secret@bucket/a@b")
        #expect(stored.contains("s3://bucket/a@b") && !stored.contains("secret"))
      }
    }

    @Test func `A file whose name begins like an address is opened by its path`() throws {
      try Workplace.with { place in
        try FileManager.default.createDirectory(
          at: place.url("s3:"), withIntermediateDirectories: true)
        try place.write("s3:/a.json", #"{"name": "Ada"}"#)
        try place.succeed("import", "./s3://a.json", "-o", "archive")
        #expect(try place.succeed("get", "archive", "name").output == "Ada\n")
      }
    }
  }
#endif
