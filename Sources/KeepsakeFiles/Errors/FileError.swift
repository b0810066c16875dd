/// Why a file could not be read, written, moved or locked.
///
/// ``code`` is what a program decides by; ``description`` is a sentence or two for the person who has to act.
public struct FileError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code

  /// The path of the file or directory; nil when a failure has none, as when the system cannot start a thread.
  public let path: String?

  /// The `errno` value of the system call that failed, if one did.
  public let systemError: Int32?

  /// The name of the system call that failed, if one did.
  public let systemCall: String?

  /// More about the failure, as part of a sentence; empty when ``code`` says it all.
  package let detail: String

  package init(
    _ code: Code, path: String? = nil, systemError: Int32? = nil, systemCall: String? = nil,
    detail: String = ""
  ) {
    self.code = code
    self.path = path
    self.systemError = systemError
    self.systemCall = systemCall
    self.detail = detail
  }
}

extension FileError {
  /// The kind of failure that an error reports.
  ///
  /// The list is open: a later version may add codes, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates the code of a name.
    ///
    /// - Parameter rawValue: The stable name, for example `"fileLocked"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name of the code.
    public var description: String { rawValue }
  }
}

extension FileError.Code {
  /// A path that is empty, holds a zero byte, or does not end with a name.
  public static let invalidPath = Self(rawValue: "invalidPath")
  /// There is no file at the path.
  public static let fileAbsent = Self(rawValue: "fileAbsent")
  /// The directory that should hold the file does not exist.
  public static let directoryAbsent = Self(rawValue: "directoryAbsent")
  /// Another writer replaced or changed the file during the operation.
  public static let changedMeanwhile = Self(rawValue: "changedMeanwhile")
  /// Something exists at the path already, and the call never replaces.
  public static let alreadyExists = Self(rawValue: "alreadyExists")
  /// A symbolic link, directory, pipe, socket or device where a regular file is needed.
  public static let notRegularFile = Self(rawValue: "notRegularFile")
  /// A file that is not a directory, where a directory is needed.
  public static let notDirectory = Self(rawValue: "notDirectory")
  /// Another process or another part of this one holds the lock of the file.
  public static let fileLocked = Self(rawValue: "fileLocked")
  /// The file system has no locks, so nothing would keep two processes apart.
  public static let lockUnavailable = Self(rawValue: "lockUnavailable")
  /// A directory that must belong to this user belongs to another one.
  public static let directoryNotOwned = Self(rawValue: "directoryNotOwned")
  /// A directory that only this user may write can be written by others.
  public static let directoryOpenPermissions = Self(rawValue: "directoryOpenPermissions")
  /// This user may not read or write at the path.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// The file system is mounted read-only.
  public static let readOnlyFileSystem = Self(rawValue: "readOnlyFileSystem")
  /// The disk, or the user's share of it, is full.
  public static let noSpace = Self(rawValue: "noSpace")
  /// The change is in place and visible, but a power cut may still undo it.
  public static let durabilityUnknown = Self(rawValue: "durabilityUnknown")
  /// A limit of the call was exceeded; nothing was allocated for it.
  public static let limitExceeded = Self(rawValue: "limitExceeded")
  /// The system has no memory left for the call.
  public static let insufficientMemory = Self(rawValue: "insufficientMemory")
  /// Another failure of the system; ``FileError/systemError`` has its number.
  public static let systemCallFailed = Self(rawValue: "systemCallFailed")
}

extension FileError: CustomStringConvertible {
  /// The failure and its file, as a clause without its full stop.
  package var message: String {
    summary + FileError.findings(detail, systemError: systemError, systemCall: systemCall)
  }

  /// One or two full sentences: the failure, its file, and what to do next.
  public var description: String { message + ". " + advice }

  /// The detail and the message of the system, in brackets.
  package static func findings(
    _ detail: String, systemError: Int32?, systemCall: String?
  ) -> String {
    let cause = systemError.map { number in
      " [\(systemCall ?? "system call"): \(systemMessage(number))]"
    }
    return (detail.isEmpty ? "" : " (\(detail))") + (cause ?? "")
  }

  /// The path, which may be that of a directory or of a file that does not exist.
  private var place: String {
    path.map { "\"\($0)\"" } ?? "the given place"
  }

  /// The failure and its file, without the detail.
  package var summary: String {
    switch code {
    case .invalidPath: "The path \(place) cannot name a file"
    case .fileAbsent: "There is no file at \(place)"
    case .directoryAbsent: "The directory that should hold \(place) does not exist"
    case .alreadyExists: "There is something at \(place) already, and it is not replaced"
    case .changedMeanwhile: "Another writer has changed \(place) in the meantime"
    case .notRegularFile: "The path \(place) does not name a regular file"
    case .notDirectory: "Part of the path \(place) is not a directory"
    case .fileLocked:
      "The lock of \(place) is held by another process or by another part of this program"
    case .lockUnavailable: "The file system of \(place) has no locks"
    case .directoryNotOwned: "The directory at \(place) belongs to another user"
    case .directoryOpenPermissions:
      "The directory at \(place) can be written by other users than its owner"
    case .permissionDenied: "This user may not access \(place)"
    case .readOnlyFileSystem: "Nothing can be written at \(place): its file system is read-only"
    case .noSpace: "There is no space left to write \(place)"
    case .durabilityUnknown:
      "The change at \(place) is in place, but the system could not confirm that it is durable"
    case .limitExceeded:
      "Refused \(path.map { "the file at \"\($0)\"" } ?? "the file") because it exceeds a limit"
    case .insufficientMemory: "There is not enough memory to work with \(place)"
    default: "The system refused to work with \(place)"
    }
  }

  /// The next step, as a sentence.
  package var advice: String {
    switch code {
    case .invalidPath: "Pass the path of a file in UTF-8: not empty, and ending with a name."
    case .fileAbsent: "Check the path."
    case .directoryAbsent: "Create the directory first, or check the path."
    case .alreadyExists: "Move it away first, or use another path."
    case .changedMeanwhile: "Look at the new file, and start again."
    case .notRegularFile: "Use the path of a regular file; links and devices are never followed."
    case .notDirectory: "Check each part of the path."
    case .fileLocked: "Let the other one finish, then try again."
    case .lockUnavailable:
      "Use a file system that has locks, or allow missing locks if no second process uses the file."
    case .directoryNotOwned:
      "Use a directory of your own, or let its owner hand it over with chown."
    case .directoryOpenPermissions:
      "Close it with chmod go-w \(FileError.quoted(path)), unless others have changed its files."
    case .permissionDenied: "Change the permissions of the file or of its directory."
    case .readOnlyFileSystem: "Use a place on a file system that can be written."
    case .noSpace: "Free some space and try again; the old content is unchanged."
    case .durabilityUnknown: "Write again once the storage works."
    case .limitExceeded: "If the file is trusted, raise that option and try again."
    case .insufficientMemory: "Free some memory and try again."
    default: "Look up the error of the system and try again."
    }
  }

  /// A path as a shell takes it.
  package static func quoted(_ path: String?) -> String {
    "'"
      + (path ?? "").split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
