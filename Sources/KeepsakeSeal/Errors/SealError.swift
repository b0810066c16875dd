/// Why something could not be sealed, opened, written or read.
///
/// ``code`` is what a program decides by; ``description`` is a sentence for whoever has to act.
/// Two errors are equal when all their fields are.
public struct SealError: Error, Equatable, Hashable, Sendable {
  /// What went wrong.
  public let code: Code

  /// The file or directory that it went wrong with; nil for data that is in no file.
  public internal(set) var path: String?

  /// The index of the damaged chunk, counted from 0, when ``code`` is ``Code/damagedChunk``.
  public internal(set) var chunkIndex: Int?

  /// The index of the slot that the error is about, counted from 0, when there is one.
  public internal(set) var slotIndex: Int?

  /// The `errno` value of the system call that failed, if one did.
  public internal(set) var systemError: Int32?

  /// The name of the system call that failed, if one did.
  public internal(set) var systemCall: String?

  /// What exactly was found, as part of a sentence; empty when ``code`` says it all.
  var detail: String

  package init(
    _ code: Code, path: String? = nil, chunkIndex: Int? = nil, slotIndex: Int? = nil,
    systemError: Int32? = nil, systemCall: String? = nil, detail: String = ""
  ) {
    self.code = code
    self.path = path
    self.chunkIndex = chunkIndex
    self.slotIndex = slotIndex
    self.systemError = systemError
    self.systemCall = systemCall
    self.detail = detail
  }

  /// The same error, said of the file at `path` unless it names one already.
  func at(_ path: String?) -> SealError {
    var error = self
    error.path = error.path ?? path
    return error
  }
}
