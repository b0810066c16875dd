import KeepsakeJournal
import KeepsakeLogging
import Logging

func startLogging(
  in directory: String, for keys: JournalKeys
) throws -> JournalLog {
  let journal = try Journal<LogRecord>.open(
    at: directory + "/log", for: keys,
    options: JournalOptions(
      retention: JournalRetention(size: 200 << 20)))
  let log = JournalLog(journal)
  log.flushAtExit()
  return log
}

func logVisit(of page: String, to log: JournalLog) {
  let logger = Logger(label: "pages") { label in
    log.handler(label: label)
  }
  logger.info("visited", metadata: ["page": "\(page)"])
}
