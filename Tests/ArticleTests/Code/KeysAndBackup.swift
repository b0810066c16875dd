import Keepsake

func sealWithRecovery(
  _ bytes: [UInt8], to path: String, key: SealKey,
  recovery: X25519Recipient
) throws {
  try SealedFile.seal(
    bytes.span, to: path,
    for: [.key(key), .x25519(recovery)])
}

func makeRecoveryIdentity(
  at path: String
) throws -> X25519Recipient {
  try X25519Identity.create(at: path).recipient
}

func recover(
  _ path: String, identityPath: String
) throws -> [UInt8] {
  let identity = try X25519Identity.read(at: identityPath)
  let file = try SealedFile.open(
    path, with: [.x25519(identity)])
  return try file.read()
}

func changePassphrase(
  ofKeyAt path: String, from old: String, to new: String
) async throws {
  let keys = PassphraseKeyStore(path: path)
  try await keys.changePassphrase(
    from: SealPassphrase(old), to: SealPassphrase(new))
}

func rotate(
  _ path: String, from old: SealKey, to new: SealKey,
  others: [X25519Recipient]
) throws {
  try SealedFile.reseal(
    path, with: [.key(old)],
    for: [.key(new)] + others.map { .x25519($0) },
    dropping: [.recipient(.key(old))])
}

func addReader(
  _ path: String, key: SealKey, reader: X25519Recipient,
  others: [X25519Recipient]
) throws {
  try SealedFile.rewrap(
    path, with: [.key(key)], adding: [.x25519(reader)],
    keeping: others.map { .recipient(.x25519($0)) })
}

/// Seals a file that each device opens with its identity.
func sealForDevices(
  _ devices: [X25519Recipient], _ bytes: [UInt8],
  to path: String
) throws {
  try SealedFile.seal(
    bytes.span, to: path, for: devices.map { .x25519($0) })
}

/// Adds a new device, on a device that can open the file.
func addDevice(
  _ new: X25519Recipient, to path: String,
  from own: X25519Identity, others: [X25519Recipient]
) throws {
  try SealedFile.rewrap(
    path, with: [.x25519(own)], adding: [.x25519(new)],
    keeping: others.map { .recipient(.x25519($0)) })
}

/// Removes a lost device: the file gets a new data key.
func removeDevice(
  _ lost: X25519Recipient, from path: String,
  by own: X25519Identity, others: [X25519Recipient]
) throws {
  try SealedFile.reseal(
    path, with: [.x25519(own)],
    for: ([own.recipient] + others).map { .x25519($0) },
    dropping: [.recipient(.x25519(lost))])
}

/// Signs a file that was sealed without a signature, once
/// you know that its content is yours.
func sign(
  _ path: String, key: SealKey, by writer: SealSigningKey
) throws -> SealSigner {
  try SealedFile.reseal(
    path, with: [.key(key)], for: [.key(key)],
    signingKey: writer, signsUnsigned: true)
  return writer.signer
}

/// Opens only a file that one of the signers has signed.
func readSigned(
  _ path: String, key: SealKey, by signers: [SealSigner]
) throws -> [UInt8] {
  let policy = SealPolicy(signature: .trusted(signers))
  let file = try SealedFile.open(
    path, with: [.key(key)], policy: policy)
  return try file.read()
}
