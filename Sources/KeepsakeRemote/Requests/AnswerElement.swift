#if Remote
  import Foundation

  #if canImport(FoundationXML)
    import FoundationXML
  #endif

  /// An element of an answer in XML: its name, its text and the elements in it, bounded in number and depth.
  struct AnswerElement {
    static let depthLimit = 8
    static let countLimit = 20_000

    let name: String
    var text = ""
    var children: [AnswerElement] = []

    init(name: String) { self.name = name }

    /// Reads a document; nil if it is not well formed, or exceeds a limit.
    init?(parsing bytes: [UInt8]) {
      guard !bytes.isEmpty else { return nil }
      let parser = XMLParser(data: Data(bytes))
      parser.shouldResolveExternalEntities = false
      let builder = AnswerBuilder()
      parser.delegate = builder
      guard parser.parse(), let root = builder.root else { return nil }
      self = root
    }

    /// The text of the first element of that name; nil without one.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }
  }

  private final class AnswerBuilder: NSObject, XMLParserDelegate {
    private(set) var root: AnswerElement?
    private var isRefused = false
    private var open: [AnswerElement] = []
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      count += 1
      guard count <= AnswerElement.countLimit, open.count < AnswerElement.depthLimit else {
        isRefused = true
        return parser.abortParsing()
      }
      open.append(AnswerElement(name: name))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += text
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      guard !isRefused, let element = open.popLast() else { return }
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
  }

  extension RemoteAnswer {
    /// The code of an S3 error, such as `SlowDown`; nil if the answer has none.
    var errorCode: String? {
      guard let code = AnswerElement(parsing: body)?["Code"], !code.isEmpty,
        code.utf8.allSatisfy({ $0 >= 0x30 && $0 < 0x7F })
      else { return nil }
      return String(code.prefix(64))
    }

    /// A sentence with the status and the code of the answer.
    ///
    /// It never contains the server's message, which may repeat parts of a signature.
    var reason: String {
      "The server answered \(status)" + (errorCode.map { " (\($0))" } ?? "") + "."
    }

    /// The error of an answer that is neither a success nor a failure inside the server.
    func refusal(of request: RemoteRequest) -> RemoteError {
      let code: RemoteError.Code
      var advice = ""
      switch status {
      case 401, 403:
        code = .accessDenied
        advice =
          " Check the key, its permissions, the region and the clock of this machine."
      case 404, 410: code = .absent
      case 412: code = .changedMeanwhile
      case 409 where errorCode == "ConditionalRequestConflict": code = .changedMeanwhile
      case 416: code = .rangeRefused
      case 501: code = .conditionsUnsupported
      default: code = .requestRefused
      }
      return RemoteError(code, reason + advice, request: request.name, status: status)
    }
  }
#endif
