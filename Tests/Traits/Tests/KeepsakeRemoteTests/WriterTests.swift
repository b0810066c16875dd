import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

/// The least length of a part.
private let partByteCount = 5 << 20
/// A third of a part, and a bit more.
private let piece = Samples.noise(of: 7, count: 1_800_000)

extension RemoteFileWriter {
  fileprivate func writePieces(_ count: Int) throws {
    for _ in 0..<count { try write(piece) }
  }
}

extension RemoteObject {
  fileprivate func plaintext(with key: SealKey) async throws -> [UInt8] {
    let source = try await RemoteSource.open(self)
    return try await source.perform { try SealedFile.open(source: $0, with: [.key(key)]).read() }
  }
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `A stream that is sealed into an object` {
  @Test(arguments: [0, 1, 3, 7], [SealOptions.Padding.none, .padme])
  func `A stream of any length is read like a sealed file`(
    pieces: Int, padding: SealOptions.Padding
  ) async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    let version = try await object.seal(
      for: [.key(key)], options: SealOptions(padding: padding), partByteCount: partByteCount
    ) { try $0.writePieces(pieces) }
    #expect(
      try await object.plaintext(with: key) == Array(repeatElement(piece, count: pieces).joined()))
    #expect(try object.versionNow() == version)
    #expect(try Servers.openUploadCount(of: object) == 0)
  }

  @Test func `A signed stream is verified`() async throws {
    let (key, signer) = (try SealKey.generate(), try SealSigningKey.generate())
    let object = try Servers.store().object(Servers.freshKey())
    try await object.seal(
      for: [.key(key)], options: SealOptions(signingKey: signer), partByteCount: partByteCount
    ) { try $0.writePieces(7) }
    let source = try await RemoteSource.open(object)
    let count = try await source.perform { source in
      try SealedFile.open(
        source: source, with: [.key(key)],
        policy: SealPolicy(signature: .trusted([signer.signer]))
      ).read().count
    }
    #expect(count == 7 * piece.count)
  }

  @Test func `An archive is written into an object while it is made`() async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    try await object.seal(for: [.key(key)]) { file in
      var writer = ArchiveStreamWriter(to: file)
      for number in 0..<500 {
        try writer.writeObject(
          Page(title: "page \(number)", content: [UInt8](repeating: 1, count: 99)))
      }
      try writer.finish()
    }
    let source = try await RemoteSource.open(object)
    let title = try await source.perform { source in
      try Archive(source: SealedFile.open(source: source, with: [.key(key)]))
        .object(ArchiveObjectID(321)).decode(String.self, forKey: "title")
    }
    #expect(title == "page 320")
  }

  @Test(arguments: [1, 7])
  func `A condition needs one writer, and a condition that does not hold changes nothing`(
    pieces: Int
  ) async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    let first = try await object.put([1])
    let several = await remoteError {
      try await object.seal(for: [.key(key)], if: .version(first)) { _ in }
    }
    #expect(several?.code == .conditionsUnsupported)
    let absent = await remoteError {
      try await object.seal(
        for: [.key(key)], if: .absent, writers: .one, partByteCount: partByteCount
      ) { try $0.writePieces(pieces) }
    }
    #expect(absent?.code == .changedMeanwhile)
    #expect(try await object.get()?.bytes == [1])
    #expect(try Servers.openUploadCount(of: object) == 0)
    try await object.seal(
      for: [.key(key)], if: .version(first), writers: .one, partByteCount: partByteCount
    ) { try $0.writePieces(pieces) }
    #expect(try await object.plaintext(with: key).count == pieces * piece.count)
  }

  @Test func `An error of the caller removes the parts and leaves the object`() async throws {
    struct Stopped: Error {}
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put([1])
    await #expect(throws: Stopped.self) {
      try await object.seal(for: [.key(SealKey.generate())], partByteCount: partByteCount) {
        try $0.writePieces(7)
        #expect(try Servers.openUploadCount(of: object) == 1)
        throw Stopped()
      }
    }
    #expect(try Servers.openUploadCount(of: object) == 0)
    #expect(try await object.get()?.bytes == [1])
  }

  @Test func `A file whose upload in parts fails leaves no parts`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    let error = await remoteError {
      _ = try object.putPartsNow(byteCount: 20 << 20, checking: .absent, Cancellation()) {
        append throws(RemoteError) in
        for _ in 0..<7 { try append(piece) }
        throw RemoteError(.absent, "The file is gone.")
      }
    }
    #expect(error?.code == .absent)
    #expect(try Servers.openUploadCount(of: object) == 0)
    #expect(try await object.get() == nil)
  }

  @Test func `A cancelled task ends the upload and removes the parts`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    let (begun, hasBegun) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await object.seal(for: [.key(SealKey.generate())], partByteCount: partByteCount) {
        try $0.writePieces(7)
        hasBegun.yield()
        while true { try $0.write([0]) }
      }
    }
    for await _ in begun { break }
    #expect(try Servers.openUploadCount(of: object) == 1)
    task.cancel()
    #expect(await remoteError { _ = try await task.value }?.code == .cancelled)
    #expect(try Servers.openUploadCount(of: object) == 0)
    #expect(try await object.get() == nil)
  }

  @Test func `Only acknowledged parts count as uploaded`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    try await object.seal(for: [.key(SealKey.generate())], partByteCount: partByteCount) { file in
      #expect(file.uploadedByteCount == 0)
      for _ in 0..<30 {
        try file.write(piece)
        // The first part is sent last, at most three are being sent, and one is not full. The sealed file is longer
        // than its plaintext by less than a chunk.
        let (uploaded, chunk) = (file.uploadedByteCount, 64 << 10)
        #expect(uploaded % partByteCount == 0)
        #expect(uploaded <= max(0, file.byteCount + chunk - partByteCount))
        #expect(uploaded >= file.byteCount - chunk - 5 * partByteCount)
      }
      #expect(file.uploadedByteCount > 0)
    }
    try await object.delete()
  }

  @Test func `A part of less than 5 MiB is refused`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    let error = await remoteError {
      try await object.seal(for: [.key(SealKey.generate())], partByteCount: 5 << 20 - 1) { _ in }
    }
    #expect(error?.code == .requestRefused)
  }
}

extension `Requests with faults` {
  private func write(
    _ faults: [Fault], to object: RemoteObject, for key: SealKey
  ) async throws -> RemoteError? {
    try await Proxy.set([])
    try await object.put([1])
    try await Proxy.set(faults)
    let error = await remoteError {
      try await object.seal(for: [.key(key)], partByteCount: partByteCount) {
        try $0.writePieces(7)
      }
    }
    try await Proxy.set([])
    #expect(try Servers.openUploadCount(of: object) == 0)
    return error
  }

  private func proxied() throws -> RemoteObject {
    try Servers.store(through: Servers.proxy, settings: Servers.settings())
      .object(Servers.freshKey())
  }

  @Test(
    arguments: ["refuse", "drop", "status", "cut"], ["uploads=", "partNumber=2", "partNumber=1"])
  func `An upload continues after a fault`(kind: String, path: String) async throws {
    let (object, key) = (try proxied(), try SealKey.generate())
    let fault = Fault(kind: kind, path: path, status: 503)
    // An upload whose identifier was lost has no parts, and the store forgets it later.
    let isLost = path == "uploads=" && (kind == "drop" || kind == "cut")
    try await Proxy.set([])
    try await object.put([1])
    try await Proxy.set([fault, fault])
    try await object.seal(for: [.key(key)], partByteCount: partByteCount) {
      try $0.writePieces(7)
    }
    try await Proxy.set([])
    #expect(try await object.plaintext(with: key).count == 7 * piece.count)
    #expect(try Servers.openUploadCount(of: object) == (isLost ? 2 : 0))
  }

  @Test(arguments: ["partNumber=2", "partNumber=1"])
  func `A part that fails ends the upload and leaves the object`(path: String) async throws {
    let (object, key) = (try proxied(), try SealKey.generate())
    let fault = Fault(kind: "status", path: path, status: 500)
    let error = try await write([fault, fault, fault], to: object, for: key)
    #expect(error?.code == .serverFailed && error?.request?.contains("part") == true)
    #expect(try await object.get()?.bytes == [1])
  }

  @Test(arguments: [1, 3])
  func `An upload is completed even if the answer to its completion is lost`(count: Int)
    async throws
  {
    let (object, key) = (try proxied(), try SealKey.generate())
    let lost = Fault(kind: "drop", method: "POST", path: "uploadId")
    let error = try await write(
      Array(repeating: lost, count: count), to: object, for: key)
    #expect(error == nil)
    #expect(try await object.plaintext(with: key).count == 7 * piece.count)
  }

  @Test func `A completion that never reaches the store leaves the object`() async throws {
    let (object, key) = (try proxied(), try SealKey.generate())
    let refused = Fault(kind: "refuse", method: "POST", path: "uploadId")
    let error = try await write([refused, refused, refused], to: object, for: key)
    #expect(error?.code == .unreachable)
    #expect(try await object.get()?.bytes == [1])
    // This error has the status of success.
    let failed = Fault(kind: "status", method: "POST", path: "uploadId", status: 200)
    let inside = try await write([failed], to: object, for: key)
    #expect(inside?.code == .serverFailed)
    #expect(try await object.get()?.bytes == [1])
  }

  @Test(arguments: [true, false])
  func `An upload is completed or discarded after the answers to all parts`(
    isCompleted: Bool
  ) async throws {
    struct Stopped: Error {}
    let object = try proxied()
    // The first part is sent last, so the second one is still under way when an upload of two parts is stopped.
    try await Proxy.set([
      Fault(kind: "delay", path: "partNumber=\(isCompleted ? 1 : 2)", seconds: 0.5)
    ])
    _ = try? await object.seal(for: [.key(SealKey.generate())], partByteCount: partByteCount) {
      try $0.writePieces(7)
      if !isCompleted { throw Stopped() }
    }
    let last = try await Proxy.log().last { $0.path.contains("uploadId") }
    try await Proxy.set([])
    #expect(last?.method == (isCompleted ? "POST" : "DELETE") && last?.running == 0)
    #expect(try Servers.openUploadCount(of: object) == 0)
  }

  @Test func `The outcome is unknown if no answer to the completion can be read`() async throws {
    let (object, key) = (try proxied(), try SealKey.generate())
    let lost = Fault(kind: "drop", method: "POST", path: "uploadId")
    let refused = Fault(kind: "refuse", method: "GET")
    let error = try await write(
      [lost, lost, lost, refused, refused, refused], to: object, for: key)
    #expect(error?.code == .outcomeUnknown)
    #expect(try await object.plaintext(with: key).count == 7 * piece.count)
  }
}
