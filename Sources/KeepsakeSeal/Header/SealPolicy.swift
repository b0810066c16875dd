/// The limits of a reader, checked before anything is allocated.
///
/// The defaults open every file that this package writes by default. Lower them for files that are expected
/// to be smaller, for example in an app extension.
public struct SealPolicy: Sendable {
  /// The maximum number of slots a header may have, 1 to 32.
  public var maximumSlotCount: Int

  /// The longest public metadata, in bytes, up to 65,536.
  public var maximumPublicMetadataLength: Int

  /// The longest encrypted metadata, in bytes, up to 65,536.
  public var maximumEncryptedMetadataLength: Int

  /// The longest payload of a file, its plaintext and its padding, in bytes.
  public var maximumPayloadLength: Int

  /// The longest plaintext that one read may return, in bytes.
  public var maximumReadLength: Int

  /// The maximum number of passes of Argon2id that a passphrase slot may request.
  public var maximumPassphrasePasses: Int

  /// The maximum memory that Argon2id may allocate for a passphrase slot, in bytes.
  public var maximumPassphraseMemory: Int

  /// The maximum work for trying all given passphrases on all passphrase slots, as the sum of memory in bytes
  /// times passes.
  public var maximumPassphraseWork: Int

  /// The signature that a file must have; by default none.
  public var signature: SealSignaturePolicy

  /// The maximum number of threads that a read uses; nil, the default, for one on each core, up to 16.
  ///
  /// Only reads of many chunks use more than one.
  public var threadCount: Int?

  /// Creates a policy; each limit has a finite default.
  ///
  /// The defaults are the format's own limits, payloads up to 64 GiB, reads up to 1 GiB; for one attempt at a
  /// passphrase 3 passes over 256 MiB, and four times that for all attempts (Spec/seal.md, section 7.1).
  public init(
    maximumSlotCount: Int = 32, maximumPublicMetadataLength: Int = 65_536,
    maximumEncryptedMetadataLength: Int = 65_536,
    maximumPayloadLength: Int = Int(clamping: Int64(64) << 30),
    maximumReadLength: Int = 1 << 30, maximumPassphrasePasses: Int = 3,
    maximumPassphraseMemory: Int = 256 << 20,
    maximumPassphraseWork: Int = Int(clamping: Int64(3) << 30),
    signature: SealSignaturePolicy = .notRequired, threadCount: Int? = nil
  ) {
    self.maximumSlotCount = maximumSlotCount
    self.maximumPublicMetadataLength = maximumPublicMetadataLength
    self.maximumEncryptedMetadataLength = maximumEncryptedMetadataLength
    self.maximumPayloadLength = maximumPayloadLength
    self.maximumReadLength = maximumReadLength
    self.maximumPassphrasePasses = maximumPassphrasePasses
    self.maximumPassphraseMemory = maximumPassphraseMemory
    self.maximumPassphraseWork = maximumPassphraseWork
    self.signature = signature
    self.threadCount = threadCount
  }

  var resolvedThreadCount: Int { max(1, threadCount ?? ParallelWork.defaultThreadCount) }
}

extension SealPolicy {
  /// Refuses to read more plaintext at once than `maximumReadLength` (Spec/seal.md, section 7.1).
  func requireReadable(_ count: Int) throws(SealError) {
    guard count <= maximumReadLength else {
      throw SealError(
        .limitExceeded,
        detail: "a read of \(count) bytes, SealPolicy.maximumReadLength is \(maximumReadLength)")
    }
  }

  /// Refuses slots on which `passphraseCount` passphrases could cost too much to try, before any memory is
  /// allocated (Spec/seal.md, section 4.2).
  func requireAffordable(
    _ costs: [(slot: Int?, cost: PassphraseCost)], passphraseCount: Int
  ) throws(SealError) {
    var total: UInt64 = 0
    for (slot, cost) in costs {
      guard cost.passes <= maximumPassphrasePasses else {
        throw SealError(
          .limitExceeded, slotIndex: slot,
          detail: "\(cost.passes) passes of Argon2id, SealPolicy.maximumPassphrasePasses is "
            + "\(maximumPassphrasePasses)")
      }
      guard cost.memoryByteCount <= maximumPassphraseMemory else {
        throw SealError(
          .limitExceeded, slotIndex: slot,
          detail: "\(cost.memoryByteCount) bytes for Argon2id, "
            + "SealPolicy.maximumPassphraseMemory is \(maximumPassphraseMemory)")
      }
      let work = cost.work.multipliedReportingOverflow(by: UInt64(clamping: passphraseCount))
      let sum = total.addingReportingOverflow(work.partialValue)
      total = work.overflow || sum.overflow ? .max : sum.partialValue
    }
    guard total <= UInt64(clamping: maximumPassphraseWork) else {
      throw SealError(
        .limitExceeded,
        detail: "\(total) bytes times passes for all passphrases, SealPolicy.maximumPassphraseWork "
          + "is \(maximumPassphraseWork)")
    }
  }
}
