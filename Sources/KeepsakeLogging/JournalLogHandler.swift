#if Logging
  public import Logging

  /// The handler of one logger, whose messages go to a ``JournalLog``.
  public struct JournalLogHandler: LogHandler {
    /// The lowest level that is logged; `info` unless it is set.
    public var logLevel = Logger.Level.info
    /// The metadata of each message.
    public var metadata: Logger.Metadata = [:]
    /// The provider of metadata of the task, if there is one.
    public var metadataProvider: Logger.MetadataProvider?

    private let log: JournalLog
    private let label: String

    init(log: JournalLog, label: String) {
      self.log = log
      self.label = label
    }

    /// One value of the metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    /// Queues a message; metadata of the event overrides that of the task, which overrides the handler's own.
    ///
    /// - Parameter event: The message.
    public func log(event: LogEvent) {
      var all = metadata
      if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
      if let own = event.metadata { all.merge(own) { $1 } }
      log.add(LogRecord(event, label: label, metadata: all))
    }
  }
#endif
