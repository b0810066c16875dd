#if Remote
  import Foundation
  import Keepsake
  import NIOHTTP1

  /// Signature Version 4 of the S3 protocol.
  struct RequestSignature {
    let credentials: ObjectStoreCredentials
    let region: String
    /// The time of the request, in seconds since 1970.
    let time: Int

    private var day: String { String(timestamp.prefix(8)) }
    private var scope: String { "\(day)/\(region)/s3/aws4_request" }

    /// The time as the protocol writes it, such as `20130524T000000Z`.
    private var timestamp: String {
      let date = Date(timeIntervalSince1970: Double(time))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: date)
      func digits(_ number: Int?, _ count: Int) -> String {
        let text = String(number ?? 0)
        return String(repeating: "0", count: max(0, count - text.count)) + text
      }
      return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T"
        + digits(parts.hour, 2) + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
    }

    /// Adds the headers that sign a request with all its headers.
    ///
    /// The path and the query are percent-encoded as they are sent, and the query is sorted. The host includes the
    /// port, unless it is the default one.
    func signed(
      _ request: RemoteRequest, host: String, path: String, query: String
    ) throws(RemoteError) -> RemoteRequest {
      var request = request
      do throws(SealError) {
        let digest = try SHA256.hash(request.body).hexadecimal
        request.headers += [
          ("Host", host), ("x-amz-content-sha256", digest), ("x-amz-date", timestamp),
        ]
        if let token = credentials.sessionToken {
          request.headers.append(("x-amz-security-token", token))
        }
        let headers = request.headers.map { ($0.name.lowercased(), $0.value) }.sorted {
          $0.0 < $1.0
        }
        let names = headers.map(\.0).joined(separator: ";")
        let canonical =
          ([request.method.rawValue, path, query] + headers.map { "\($0.0):\($0.1)" }
          + ["", names, digest]).joined(separator: "\n")
        let statement = try [
          "AWS4-HMAC-SHA256", timestamp, scope, SHA256.hash(Array(canonical.utf8)).hexadecimal,
        ].joined(separator: "\n")
        let code = try SHA256.authenticationCode(of: Array(statement.utf8), key: signingKey())
        request.headers.append(
          (
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),"
              + "Signature=\(code.hexadecimal)"
          ))
        return request
      } catch {
        throw RemoteError(
          .credentialsAbsent, error.description, request: request.name, underlyingError: error)
      }
    }

    private func signingKey() throws(SealError) -> SecretBytes {
      var key = credentials.secret
      for part in [day, region, "s3", "aws4_request"] {
        key = try SHA256.derive(Array(part.utf8), key: key)
      }
      return key
    }
  }

  extension String {
    /// The text with all bytes but letters, digits, `-`, `.`, `_`, `~` and those of `others` percent-encoded.
    func percentEncoded(keeping others: String = "") -> String {
      let digits = Array("0123456789ABCDEF".utf8)
      return String(
        decoding: utf8.flatMap { byte -> [UInt8] in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            [byte]
          case _ where others.utf8.contains(byte): [byte]
          default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
          }
        }, as: UTF8.self)
    }
  }
#endif
