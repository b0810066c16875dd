import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

/// The tool `keepsake` with the trait `Remote`, run as a process in a directory of its own.
struct Tool {
  struct Result {
    let exitCode: Int32
    let data: Data
    let error: String
    var output: String { String(decoding: data, as: UTF8.self) }
  }

  let directory: URL
  /// The variables of object stores that the process gets.
  var environment: [String: String]

  /// Makes a directory, and removes it after the test.
  static func with<T>(
    _ endpoint: String? = Servers.radosgw, isSigned: Bool = true, _ body: (Tool) async throws -> T
  ) async throws -> T {
    try await withFolder { folder in
      var environment = ["AWS_ENDPOINT_URL": try #require(endpoint), "HOME": folder]
      if isSigned {
        environment["AWS_ACCESS_KEY_ID"] = "TESTKEY"
        environment["AWS_SECRET_ACCESS_KEY"] = "testsecret"
      }
      return try await body(
        Tool(directory: URL(fileURLWithPath: folder), environment: environment))
    }
  }

  /// The built tool, in the folder of the program that runs the tests.
  private static var url: URL {
    get throws {
      let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      let candidates = [folder, folder.deletingLastPathComponent()]
        .map { $0.appendingPathComponent("keepsake") }
      return try #require(
        candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) },
        "keepsake was not built beside \(folder.path).")
    }
  }

  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  /// A process of the tool that has not begun, with its output.
  func prepared(_ arguments: [String]) throws -> (Process, output: Pipe, error: Pipe) {
    let process = Process()
    process.executableURL = try Self.url
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let kept = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AWS_") }
    process.environment = kept.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    return (process, output, error)
  }

  /// Runs the tool, and expects it to succeed without a message.
  @discardableResult
  func succeed(_ arguments: String...) throws -> Result {
    let (process, output, error) = try prepared(arguments)
    try process.run()
    let result = end(process, output, error)
    #expect(result.exitCode == 0 && result.error.isEmpty, "\(arguments): \(result.error)")
    return result
  }

  /// Runs the tool, and expects one line with a sentence, and an exit code.
  @discardableResult
  func fail(_ exitCode: Int32, _ arguments: String...) throws -> String {
    let (process, output, error) = try prepared(arguments)
    try process.run()
    let result = end(process, output, error)
    #expect(result.exitCode == exitCode, "\(arguments): \(result.error)")
    #expect(
      result.error.hasPrefix("keepsake: ") && result.error.hasSuffix(".\n")
        && result.error.split(separator: "\n").count == 1, "\(result.error)")
    return result.error
  }

  /// Runs the tool on a terminal without a keyboard, expects it to succeed, and returns all that the terminal gets.
  func shown(_ arguments: [String]) throws -> String {
    let command = try ([Self.url.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let (process, output, error) = try prepared(["-qec", command, "/dev/null"])
    process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    try process.run()
    let result = end(process, output, error)
    #expect(result.exitCode == 0, "\(arguments): \(result.output)")
    return result.output
  }

  /// Seals a stream of zeros, and returns the most memory that the tool had, in bytes.
  func peakMemory(sealing byteCount: Int, _ arguments: String...) throws -> Int {
    // The memory is printed in KiB.
    let program = """
      import os, subprocess, sys
      source = subprocess.Popen(["head", "-c", sys.argv[1], "/dev/zero"], stdout=subprocess.PIPE)
      child = subprocess.Popen(sys.argv[2:], stdin=source.stdout)
      _, status, usage = os.wait4(child.pid, 0)
      print(usage.ru_maxrss)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let tool = try Self.url.path
    let (process, output, error) = try prepared(
      ["python3", "-c", program, "\(byteCount)", tool, "seal", "-"] + arguments)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    try process.run()
    let result = end(process, output, error)
    #expect(result.exitCode == 0 && result.error.isEmpty, "\(result.error)")
    return try #require(Int(result.output.dropLast())) << 10
  }

  func end(_ process: Process, _ output: Pipe, _ error: Pipe) -> Result {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      exitCode: process.terminationStatus, data: data,
      error: String(decoding: message, as: UTF8.self))
  }
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `The tool and a bucket of radosgw` {
  /// The address of an object with a key that no other test uses.
  private func address(_ key: String) throws -> (text: String, object: RemoteObject) {
    let store = try Servers.store()
    return ("s3://\(store.bucket)/\(key)", try store.object(key))
  }

  @Test func `A file is sealed into the bucket, and every command that reads accepts its address`()
    async throws
  {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey("settings.sealed"))
      try Data(#"{"name": "Ada", "scores": [1, 2, 3]}"#.utf8).write(to: tool.url("a.json"))
      try tool.succeed("keygen", "key", "my.key")
      try tool.succeed("import", "a.json", "-o", "archive")
      try tool.succeed("seal", "archive", "-k", "my.key", "-o", text)

      #expect(try tool.succeed("get", text, "name", "-k", "my.key").output == "Ada\n")
      #expect(try tool.succeed("get", text, "scores[1]", "-k", "my.key").output == "2\n")
      #expect(try tool.succeed("inspect", text, "-k", "my.key").output.contains("Ada"))
      #expect(try tool.succeed("inspect", text, "--header").output.hasPrefix(text + ": sealed"))
      #expect(
        try tool.succeed("verify", text, "-k", "my.key").output.contains("every chunk is sound"))
      #expect(try tool.succeed("export", text, "-k", "my.key").output.contains("Ada"))
      let plain = try Data(contentsOf: tool.url("archive"))
      #expect(try tool.succeed("open", text, "-k", "my.key", "-o", "-").data == plain)
      try tool.succeed("open", text, "-k", "my.key", "-o", "opened")
      #expect(try Data(contentsOf: tool.url("opened")) == plain)

      // An object that exists is replaced, as a file is; and an address is sealed as a file is.
      try tool.succeed("seal", "a.json", "-k", "my.key", "-o", text)
      try tool.succeed("keygen", "key", "other.key")
      let (twice, other) = try address(Servers.freshKey("twice.sealed"))
      try tool.succeed("seal", text, "-k", "other.key", "-o", twice)
      try tool.succeed("open", twice, "-k", "other.key", "-o", "once")
      try tool.succeed("open", "once", "-k", "my.key", "-o", "json")
      #expect(
        try Data(contentsOf: tool.url("json")) == Data(contentsOf: tool.url("a.json")))
      try await object.delete()
      try await other.delete()
    }
  }

  @Test func `A file that is too long for one request is sent in parts`() async throws {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey("long.sealed"))
      try Data(count: 70 << 20).write(to: tool.url("plain"))
      try tool.succeed("keygen", "key", "my.key")
      try tool.succeed("seal", "plain", "-k", "my.key", "-o", text)
      try tool.succeed("open", text, "-k", "my.key", "-o", "opened")
      #expect(
        FileManager.default.contentsEqual(
          atPath: tool.url("plain").path, andPath: tool.url("opened").path))
      #expect(try await object.version()?.tag.contains("-") == true)
      try await object.delete()
    }
  }

  @Test func `An archive and a text form are read from the bucket as they are`() async throws {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey("archive"))
      try Data(#"{"name": "Ada"}"#.utf8).write(to: tool.url("a.json"))
      try tool.succeed("import", "a.json", "-o", "archive")
      try await object.put(Array(Data(contentsOf: tool.url("archive"))))
      #expect(try tool.succeed("get", text, "name").output == "Ada\n")
      #expect(try tool.succeed("inspect", text).output.contains("Ada"))
      try tool.succeed("keygen", "key", "my.key")
      try tool.succeed("seal", "a.json", "-k", "my.key", "--armor", "-o", "armored")
      try await object.put(Array(Data(contentsOf: tool.url("armored"))))
      #expect(try tool.succeed("open", text, "-k", "my.key", "-o", "-").output.contains("Ada"))
      try await object.put(Array("neither of both".utf8))
      #expect(try tool.fail(65, "inspect", text).contains("neither a sealed file nor an archive"))
      try await object.delete()
    }
  }

  @Test func `The entries of a journal in the bucket are printed`() async throws {
    try await Tool.with { tool in
      let store = try Servers.store()
      let prefix = Servers.freshKey("log")
      let text = "s3://\(store.bucket)/\(prefix)"
      try tool.succeed("keygen", "identity", "me")
      for line in ["one", "two"] {
        let (process, output, error) = try tool.prepared(["journal", "append", "log", "-r", "me"])
        let input = Pipe()
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        try input.fileHandleForWriting.close()
        #expect(tool.end(process, output, error).exitCode == 0)
        if line == "one" { try tool.succeed("journal", "rotate", "log", "-r", "me") }
      }
      var count = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: tool.url("log").path)
      where name.hasSuffix(".journal") {
        count += 1
        try await store.object("\(prefix)/\(name)")
          .put(Array(Data(contentsOf: tool.url("log/" + name))))
      }
      #expect(count == 2)
      #expect(try tool.succeed("journal", "cat", text, "-k", "me").output == "one\ntwo\n")
      #expect(
        try tool.succeed("journal", "cat", text + "/", "-k", "me", "--last", "1").output == "two\n")
      try tool.succeed("keygen", "identity", "other")
      let message = try tool.fail(77, "journal", "cat", text, "-k", "other")
      #expect(message.contains(text) && !message.contains("/tmp/"), "\(message)")
      try tool.fail(64, "journal", "cat", text, "-k", "me", "--follow")
      try tool.fail(64, "journal", "rotate", text, "-r", "me")
      try tool.fail(66, "journal", "cat", text + "no", "-k", "me")
      for entry in try await store.list(prefix: prefix) {
        try await store.object(entry.key).delete()
      }
    }
  }

  @Test func `The memory of an upload does not grow with the stream`() async throws {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey())
      try tool.succeed("keygen", "key", "my.key")
      let (part, length) = (16 << 20, 256 << 20)
      let peak = try tool.peakMemory(sealing: length, "-k", "my.key", "-o", text)
      // The memory has about eight parts, and what the tool needs without them.
      #expect(peak < 12 * part, "\(peak)")
      #expect(try await RemoteSource.open(object).byteCount > length)
      try await object.delete()
    }
  }

  @Test func `An object that another writer replaces while a file is sealed is not lost`()
    async throws
  {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey())
      try await object.put([1])
      try tool.succeed("keygen", "key", "my.key")
      let (process, output, error) = try tool.prepared(["seal", "-", "-k", "my.key", "-o", text])
      let input = Pipe()
      process.standardInput = input
      try process.run()
      // The pipe has room for these bytes only when the tool has begun to read, after it has looked up the version.
      try input.fileHandleForWriting.write(contentsOf: Data(count: 4 << 20))
      try await object.put([2])
      try input.fileHandleForWriting.close()
      let result = tool.end(process, output, error)
      #expect(result.exitCode == 74 && result.error.contains(text), "\(result.error)")
      #expect(try await object.content() == [2])
      try await object.delete()
    }
  }

  @Test func `A damaged object, a wrong key and an absent object have their exit codes`()
    async throws
  {
    try await Tool.with { tool in
      let (text, object) = try address(Servers.freshKey())
      #expect(try tool.fail(66, "inspect", text).contains(text))
      try Data(count: 100_000).write(to: tool.url("plain"))
      for name in ["my.key", "other.key"] { try tool.succeed("keygen", "key", name) }
      try tool.succeed("seal", "plain", "-k", "my.key", "-o", text)
      #expect(try tool.fail(77, "verify", text, "-k", "other.key").contains(text))
      var bytes = try await object.content()
      bytes[bytes.count - 1] ^= 1
      try await object.put(bytes)
      try tool.fail(65, "verify", text, "-k", "my.key")
      #expect(try tool.fail(64, "rewrap", text, "-k", "my.key").contains("address"))
      try await object.delete()

      #expect(try tool.fail(64, "open", "plain", "-o", text).contains("seal"))
      #expect(try tool.fail(64, "inspect", text, "--session", "main").contains("--session"))
      #expect(try tool.fail(64, "get", text).contains("no path in it"))
      try tool.fail(64, "inspect", "s3://UPPER/key")
      try tool.fail(64, "inspect", "s3://bucket")
    }
  }

  @Test func `Credentials that the store refuses are in no message`() async throws {
    try await Tool.with { tool in
      var tool = tool
      tool.environment["AWS_SECRET_ACCESS_KEY"] = "wrongsecret"
      let message = try tool.fail(74, "inspect", address("any").text)
      #expect(!message.contains("wrongsecret"))
      tool.environment["AWS_ENDPOINT_URL"] = "http://127.0.0.1:1"
      try tool.fail(74, "inspect", address("any").text)
      for text in ["s3://me:wrongsecret@bucket/key", "https://me:wrongsecret@localhost/key"] {
        #expect(try !tool.fail(64, "inspect", text).contains("wrongsecret"))
      }
    }
  }
}

extension `Requests with faults` {
  @Test func `The tool reads one value of a large archive by five requests`() async throws {
    try await Tool.with(Servers.proxy) { tool in
      let key = try SealKey.create(at: tool.url("my.key").path)
      let object = try Servers.store().object(Servers.freshKey("book.sealed"))
      try await object.put(Samples.book(pages: 500, key: key))
      try await Proxy.set([])
      let value = try tool.succeed("get", object.description, "@250.title", "-k", "my.key")
      #expect(value.output == "page 249\n")
      let requests = try await Proxy.log()
      #expect(requests.count <= 5 && requests.allSatisfy { !$0.range.isEmpty }, "\(requests)")
      try await object.delete()
    }
  }

  @Test func `The tool shows the progress of an object at a terminal, as that of a file`()
    async throws
  {
    try await Tool.with(Servers.proxy) { tool in
      let object = try Servers.store().object(Servers.freshKey("long.sealed"))
      let text = object.description
      try Data(count: 20 << 20).write(to: tool.url("plain"))
      try tool.succeed("keygen", "key", "my.key")
      // Progress is drawn at most ten times a second. Reads wait longer than that, and so does the beginning of an upload
      // in parts.
      try await Proxy.set([
        Fault(kind: "delay", path: "uploads=", seconds: 0.2),
        Fault(kind: "delay", method: "GET", range: true, seconds: 0.2, stays: true),
      ])
      for (title, arguments) in [
        ("Uploading", ["seal", "plain", "-k", "my.key", "-o", text]),
        ("Verifying", ["verify", text, "-k", "my.key"]),
        ("Opening", ["open", text, "-k", "my.key", "-o", "opened"]),
      ] {
        let screen = try tool.shown(arguments)
        #expect(screen.contains("\r\(title)  ") && screen.contains(" of 20.0 MiB, "), "\(screen)")
        // The line is cleared at the end.
        #expect(screen.contains("\r\u{1B}[K"), "\(screen)")
      }
      try await Proxy.set([])
      try await object.delete()
    }
  }
}

@Suite(.enabled(if: Servers.web != nil)) struct `The tool and a web server` {
  @Test func `A file of nginx is opened, and the signature in its address is in no output`()
    async throws
  {
    try await Tool.with(Servers.web, isSigned: false) { tool in
      let name = UUID().uuidString
      try Data("content".utf8).write(to: tool.url("plain"))
      try tool.succeed("keygen", "key", "my.key")
      try tool.succeed("seal", "plain", "-k", "my.key", "-o", "sealed")
      let place = try #require(Servers.webFolder) + "/" + name
      try FileManager.default.copyItem(atPath: tool.url("sealed").path, toPath: place)
      let text = try #require(Servers.web) + "/\(name)"
      let signed = text + "?signature=hidden"
      #expect(try tool.succeed("open", signed, "-k", "my.key", "-o", "-").output == "content")
      let report = try tool.succeed("inspect", signed, "--header", "--json").output
      #expect(report.contains(name) && !report.contains("hidden"))
      #expect(try !tool.fail(66, "verify", text + "no?signature=hidden").contains("hidden"))
      #expect(try tool.fail(64, "seal", "plain", "-k", "my.key", "-o", text).contains("s3://"))
    }
  }
}
