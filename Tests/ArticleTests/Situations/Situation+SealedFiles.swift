import Foundation
import Keepsake

/// Seals a file of some bytes, and calls a body with its path and key.
private func sealed(
  _ folder: String, options: SealOptions = SealOptions(),
  _ body: (_ path: String, _ key: SealKey) throws -> Void
) throws {
  let (path, key) = (folder + "/letter.sealed", try SealKey.generate())
  try SealedFile.seal(
    Array(repeating: 7, count: 100_000).span, to: path, for: [.key(key)], options: options)
  try body(path, key)
}

private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
  var bytes = try bytes(of: path)
  body(&bytes)
  try write(bytes, to: path)
}

/// A low cost for tests.
private let quick = PassphraseCost(passes: 1, memoryByteCount: 8 << 20)

/// The key of a new key file under a passphrase.
private func protectedKey(_ folder: String) async throws -> SealKey {
  let keys = PassphraseKeyStore(path: folder + "/key", cost: quick)
  _ = try await keys.unlock(with: SealPassphrase("correct horse"))
  return try keys.existingOrNewKey()
}

extension Situation {
  static var sealedFiles: [Situation] {
    [
      Situation("A sealed file is opened that is not there") { folder in
        _ = try SealedFile.open(folder + "/letter.sealed", with: [.key(try .generate())])
      },
      Situation("A directory is opened as a sealed file") { folder in
        _ = try SealedFile.open(folder, with: [.key(try .generate())])
      },
      Situation("An ordinary file is opened as a sealed one") { folder in
        let path = folder + "/letter.txt"
        try write(
          Array("Dear Ada, all is well here, and I hope that it is with you.".utf8), to: path)
        _ = try SealedFile.open(path, with: [.key(try .generate())])
      },
      Situation("A sealed file has no bytes at all") { folder in
        try sealed(folder) { path, key in
          try write([], to: path)
          _ = try SealedFile.open(path, with: [.key(key)])
        }
      },
      Situation("A sealed file was cut short") { folder in
        try sealed(folder) { path, key in
          try change(path) { $0.removeLast(5000) }
          _ = try SealedFile.open(path, with: [.key(key)])
        }
      },
      Situation("Something was appended to a sealed file") { folder in
        try sealed(folder) { path, key in
          try change(path) { $0.append(0) }
          _ = try SealedFile.open(path, with: [.key(key)])
        }
      },
      Situation("One byte in the middle of a sealed file is another") { folder in
        try sealed(folder) { path, key in
          try change(path) { $0[90_000] ^= 1 }
          _ = try SealedFile.open(path, with: [.key(key)]).read()
        }
      },
      Situation("A sealed file is opened with another key") { folder in
        try sealed(folder) { path, _ in
          _ = try SealedFile.open(path, with: [.key(try .generate())])
        }
      },
      Situation("A sealed file is opened with a wrong passphrase") { folder in
        let path = folder + "/letter.sealed"
        let right = try SealPassphrase("correct horse")
        try SealedFile.seal([1, 2, 3].span, to: path, for: [.passphrase(right, cost: quick)])
        _ = try SealedFile.open(path, with: [.passphrase(try SealPassphrase("battery staple"))])
      },
      Situation("A sealed file is opened under another context") { folder in
        var options = SealOptions()
        options.context = Array("letters".utf8)
        try sealed(folder, options: options) { path, key in
          _ = try SealedFile.open(path, with: [.key(key)], context: Array("diary".utf8))
        }
      },
      Situation("A signature is required, and the file has none") { folder in
        try sealed(folder) { path, key in
          let policy = SealPolicy(signature: .trusted([try SealSigningKey.generate().signer]))
          _ = try SealedFile.open(path, with: [.key(key)], policy: policy)
        }
      },
      Situation("A file has the signature of an untrusted signer") { folder in
        var options = SealOptions()
        options.signingKey = try SealSigningKey.generate()
        try sealed(folder, options: options) { path, key in
          let policy = SealPolicy(signature: .trusted([try SealSigningKey.generate().signer]))
          _ = try SealedFile.open(path, with: [.key(key)], policy: policy)
        }
      },
      Situation("A file is sealed without a key") { folder in
        try SealedFile.seal([1].span, to: folder + "/letter.sealed", for: [])
      },
      Situation("A file is sealed into a directory that is not there") { folder in
        try SealedFile.seal(
          [1].span, to: folder + "/letters/1.sealed", for: [.key(try .generate())])
      },
      Situation("Bytes are asked for beyond the end of the content") { folder in
        try sealed(folder) { path, key in
          _ = try SealedFile.open(path, with: [.key(key)]).read(99_999..<100_001)
        }
      },
      Situation("The last key of a file is removed") { folder in
        try sealed(folder) { path, key in
          try SealedFile.rewrap(path, with: [.key(key)], removing: [.recipient(.key(key))])
        }
      },
      Situation("A sealed file is written by a later version") { folder in
        try sealed(folder) { path, key in
          try change(path) { $0[8] = 9 }
          _ = try SealedFile.open(path, with: [.key(key)])
        }
      },
    ]
  }

  static var keys: [Situation] {
    [
      Situation("A key file is not there") { folder in _ = try SealKey.read(at: folder + "/key") },
      Situation("A key file lacks its last byte") { folder in
        let path = folder + "/key"
        _ = try SealKey.create(at: path)
        try change(path) { $0.removeLast() }
        _ = try SealKey.read(at: path)
      },
      Situation("Other users can read a key file") { folder in
        let path = folder + "/key"
        _ = try SealKey.create(at: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try SealKey.read(at: path)
      },
      Situation("A key file is created where there is one") { folder in
        for _ in 0..<2 { _ = try SealKey.create(at: folder + "/key") }
      },
      Situation("The passphrase of a key file is wrong") { folder in
        _ = try await protectedKey(folder)
        let later = PassphraseKeyStore(path: folder + "/key", cost: quick)
        _ = try await later.unlock(with: SealPassphrase("battery staple"))
      },
      Situation("A key under a passphrase is used before it is unlocked") { folder in
        _ = try await protectedKey(folder)
        _ = try PassphraseKeyStore(path: folder + "/key").existingKey()
      },
      Situation("A passphrase is empty") { _ in _ = try SealPassphrase("") },
      Situation("A recipient was copied without its last letters") { _ in
        let recipient = try X25519Identity.generate().recipient
        _ = try X25519Recipient(String("\(recipient)".dropLast(3)))
      },
      Situation("A recipient is given where an identity belongs") { _ in
        let text = "\(try X25519Identity.generate().recipient)"
        _ = try X25519Identity(text: Array(text.utf8).span)
      },
      Situation("A key has sixteen bytes") { _ in
        _ = try SealKey(copying: [UInt8](repeating: 1, count: 16).span)
      },
    ]
  }
}
