#if Logging
  public import Logging

  /// An entry of a ``JournalLog``: a message with its place, or the number of messages that were dropped.
  public struct LogRecord: Codable, Hashable, Sendable {
    /// The level of the message; `warning` for dropped ones.
    public var level: Logger.Level
    /// The label of the logger.
    public var label: String
    /// The message, cut to 64 KiB.
    public var message: String
    /// The metadata as text, each value cut to 64 KiB.
    public var metadata: [String: String]
    /// The module that logged the message.
    public var source: String
    /// The file that logged the message.
    public var file: String
    /// The function that logged the message.
    public var function: String
    /// The line that logged the message.
    public var line: UInt
    /// The number of messages that were dropped right before this entry; 0 for a message.
    public var droppedCount: Int

    /// The most bytes of a message, and of a value of metadata.
    static var mostBytes: Int { 1 << 16 }

    init(_ event: LogEvent, label: String, metadata: Logger.Metadata) {
      level = event.level
      self.label = label
      message = Self.cut("\(event.message)")
      self.metadata = metadata.mapValues { Self.cut("\($0)") }
      if let error = event.error { self.metadata["error"] = Self.cut("\(error)") }
      source = event.source
      file = event.file
      function = event.function
      line = event.line
      droppedCount = 0
    }

    /// The entry that reports dropped messages.
    init(dropped count: Int) {
      level = .warning
      label = "keepsake"
      message = "\(count) messages were dropped: the log could not be written as fast as they came"
      metadata = [:]
      source = "KeepsakeLogging"
      (file, function, line) = ("", "", 0)
      droppedCount = count
    }

    /// The approximate number of bytes of the record.
    var byteCount: Int {
      let texts = metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      return 128 + message.utf8.count + texts
    }

    /// The text, or its first 64 KiB.
    private static func cut(_ text: String) -> String {
      guard text.utf8.count > mostBytes else { return text }
      return String(decoding: text.utf8.prefix(mostBytes), as: UTF8.self)
    }
  }
#endif
