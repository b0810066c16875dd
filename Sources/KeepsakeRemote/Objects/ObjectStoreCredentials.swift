#if Remote
  import Foundation
  import Keepsake

  /// The key with which requests to an object store are signed.
  ///
  /// The secret key is kept in guarded memory. A session token is sent with each request and is kept as text.
  public struct ObjectStoreCredentials: Sendable {
    /// The public name of the key.
    public let accessKey: String
    let secret: SecretBytes
    let sessionToken: String?

    /// Creates credentials.
    ///
    /// The `String` of the secret key, and the copies that Swift makes of it, cannot be wiped.
    ///
    /// - Parameters:
    ///   - accessKey: The public name of the key.
    ///   - secretKey: The secret key.
    ///   - sessionToken: The token of a temporary key; nil for a permanent one.
    /// - Throws: ``RemoteError`` with `credentialsAbsent` when a part is empty or has control characters.
    public init(
      accessKey: String, secretKey: String, sessionToken: String? = nil
    ) throws(RemoteError) {
      func isUsable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      }
      guard isUsable(accessKey), isUsable(secretKey), sessionToken.map(isUsable) ?? true else {
        throw RemoteError(
          .credentialsAbsent,
          "A part of the credentials is empty, or has spaces or control characters. Copy it again.")
      }
      self.accessKey = accessKey
      self.sessionToken = sessionToken
      do throws(SealError) {
        // The protocol puts these four characters before the key (Signature Version 4).
        let text = Array(("AWS4" + secretKey).utf8)
        secret = try SecretBytes(copying: text.span)
      } catch {
        throw RemoteError(.credentialsAbsent, error.description, underlyingError: error)
      }
    }
  }

  extension ObjectStoreCredentials: CustomStringConvertible, CustomReflectable {
    /// The public name of the key, and nothing secret.
    public var description: String { "the credentials of \(accessKey)" }
    /// The public name of the key, and nothing secret.
    public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
  }

  /// The credentials, region and endpoint that a user has set for all tools, in the environment and the shared files.
  ///
  /// It reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. If they are not set, it reads the
  /// profile `AWS_PROFILE`, or `default`, of the files `~/.aws/credentials` and `~/.aws/config`.
  /// `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name other files; `~/` at their start is the user's home. The
  /// region is in `AWS_REGION` or `AWS_DEFAULT_REGION`, the endpoint in `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, or
  /// in the profile.
  public struct ObjectStoreProfile: Sendable {
    /// The credentials; nil without a key.
    public let credentials: ObjectStoreCredentials?
    /// The region; nil if none is set.
    public let region: String?
    /// The address of the server; nil if none is set.
    public let endpoint: String?

    /// The largest file that is read, in bytes.
    private static let fileLimit = 1 << 20

    /// Reads the files, and the given environment variables or else those of this process.
    ///
    /// - Throws: ``RemoteError`` with `credentialsAbsent` when a named profile does not exist, a file cannot be read,
    ///   or a key has no secret.
    public static func current(
      environment: [String: String]? = nil
    ) throws(RemoteError) -> ObjectStoreProfile {
      let environment = environment ?? ProcessInfo.processInfo.environment
      func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
      let name = value("AWS_PROFILE") ?? "default"
      func file(_ variable: String, or usual: String) -> String? {
        let path = value(variable) ?? usual
        return path.hasPrefix("~/") ? value("HOME").map { $0 + path.dropFirst() } : path
      }
      let secrets = try section(
        name, ofFile: file("AWS_SHARED_CREDENTIALS_FILE", or: "~/.aws/credentials"))
      let configFile = file("AWS_CONFIG_FILE", or: "~/.aws/config")
      var config = try section("profile " + name, ofFile: configFile)
      if config == nil, name == "default" { config = try section(name, ofFile: configFile) }
      guard value("AWS_PROFILE") == nil || secrets != nil || config != nil else {
        throw RemoteError(
          .credentialsAbsent,
          "There is no profile \"\(name)\" in the shared files. Check AWS_PROFILE, and the files credentials and config."
        )
      }
      func setting(_ key: String) -> String? { secrets?[key] ?? config?[key] }
      // The parts of a key belong together, so they come from one file.
      let keyed = secrets?["aws_access_key_id"] == nil ? config : secrets

      let isInEnvironment = value("AWS_ACCESS_KEY_ID") != nil
      let accessKey = value("AWS_ACCESS_KEY_ID") ?? keyed?["aws_access_key_id"]
      let secretKey =
        isInEnvironment ? value("AWS_SECRET_ACCESS_KEY") : keyed?["aws_secret_access_key"]
      let token = isInEnvironment ? value("AWS_SESSION_TOKEN") : keyed?["aws_session_token"]
      var credentials: ObjectStoreCredentials?
      if let accessKey {
        guard let secretKey else {
          throw RemoteError(
            .credentialsAbsent, "The key \(accessKey) has no secret key beside it.")
        }
        credentials = try ObjectStoreCredentials(
          accessKey: accessKey, secretKey: secretKey, sessionToken: token)
      }
      return ObjectStoreProfile(
        credentials: credentials,
        region: value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? setting("region"),
        endpoint: value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL")
          ?? setting("endpoint_url"))
    }

    /// The settings of a section of an INI file; nil if the file or the section does not exist.
    private static func section(
      _ name: String, ofFile path: String?
    ) throws(RemoteError) -> [String: String]? {
      guard let path else { return nil }
      let text: String
      do throws(FileError) {
        guard try DurableFile.kind(of: path) != .absent else { return nil }
        text = String(decoding: try DurableFile.read(at: path, upTo: fileLimit), as: UTF8.self)
      } catch {
        throw RemoteError(.credentialsAbsent, error.description, underlyingError: error)
      }
      var found: [String: String]?
      var isInSection = false
      for line in text.split(whereSeparator: \.isNewline) {
        let isIndented = line.first?.isWhitespace ?? false
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
        if line.hasPrefix("["), line.hasSuffix("]") {
          let words = line.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
          isInSection = words.joined(separator: " ") == name
          if isInSection { found = found ?? [:] }
        } else if isInSection, !isIndented, let equals = line.firstIndex(of: "=") {
          let key = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
          found?[key] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        }
      }
      return found
    }
  }
#endif
