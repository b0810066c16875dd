import Testing

@testable import KeepsakeSeal

@Suite struct `Wycheproof's vectors` {
  struct AuthenticatedVector: Decodable {
    let tcId: Int
    let key: HexBytes
    let iv: HexBytes
    let aad: HexBytes
    let msg: HexBytes
    let ct: HexBytes
    let tag: HexBytes
    let result: String
  }

  @Test func `Every wrapper of XChaCha20-Poly1305 passes the vectors`() throws {
    let file = try Wycheproof<AuthenticatedVector>.named("xchacha20_poly1305")
    #expect(file.vectors.count == file.numberOfTests && file.vectors.count == 315)
    var counts = (valid: 0, invalid: 0)
    for vector in file.vectors {
      let key = try SecretBytes(copying: vector.key.bytes.span)
      let (nonce, data) = (vector.iv.bytes, vector.aad.bytes)
      let sealed = vector.ct.bytes + vector.tag.bytes
      let message = try SecretBytes(copying: vector.msg.bytes.span)
      let opened = try XChaCha20Poly1305.unwrap(
        (nonce + sealed)[...], key: key, associatedData: data)
      if vector.result == "valid" {
        counts.valid += 1
        let wrapped = try XChaCha20Poly1305.wrap(
          message, key: key, nonce: nonce, associatedData: data)
        #expect(wrapped == nonce + sealed, "\(vector.tcId)")
        // A secret has at least one byte.
        #expect(
          opened?.publicBytes(0..<message.count) == (message.count == 0 ? nil : vector.msg.bytes),
          "\(vector.tcId)")
        guard data.isEmpty else { continue }
        #expect(
          try XChaCha20Poly1305.seal(vector.msg.bytes, key: key, nonce: nonce) == sealed,
          "\(vector.tcId)")
        #expect(
          XChaCha20Poly1305.open(sealed, key: key, nonce: nonce) == vector.msg.bytes,
          "\(vector.tcId)")
      } else {
        counts.invalid += 1
        #expect(opened == nil, "\(vector.tcId)")
        #expect(
          !data.isEmpty || XChaCha20Poly1305.open(sealed, key: key, nonce: nonce) == nil,
          "\(vector.tcId)")
      }
    }
    #expect(counts.valid > 200 && counts.invalid > 50)
  }

  struct ExchangeVector: Decodable {
    let tcId: Int
    let flags: [String]
    let `public`: HexBytes
    let `private`: HexBytes
    let shared: HexBytes
    let result: String
  }

  @Test func `X25519 passes the vectors, and refuses points that the format excludes`() throws {
    let file = try Wycheproof<ExchangeVector>.named("x25519")
    #expect(file.vectors.count == file.numberOfTests && file.vectors.count == 518)
    var refused = 0
    for vector in file.vectors {
      let secret = try SecretBytes(copying: vector.private.bytes.span)
      let shared = try X25519.sharedSecret(secret, with: vector.public.bytes)
      // Spec/seal.md, section 4.3: no other encoding of a point, and no point of low order.
      let isRefused =
        vector.flags.contains("NonCanonicalPublic") || vector.flags.contains("ZeroSharedSecret")
        || vector.public.bytes[31] >= 0x80
      if isRefused { refused += 1 }
      #expect(
        shared?.publicBytes(0..<32) == (isRefused ? nil : vector.shared.bytes), "\(vector.tcId)")
      #expect(vector.result != "valid" || !isRefused, "\(vector.tcId)")
    }
    #expect(refused > 20 && refused < 100, "\(refused)")
  }
}
