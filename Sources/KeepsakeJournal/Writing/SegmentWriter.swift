import KeepsakeFiles
import KeepsakeSeal

/// The files of a journal that is being written: the open file, its last segment, and what is durable of them
/// (Spec/journal.md, section 8).
struct SegmentWriter {
  private struct Segment {
    let header: SegmentHeader
    let cipher: FrameCipher
    var framesLength: UInt64 = 0
    var latestTime: Int64
  }

  /// The reason why the next segment cannot begin in the open file.
  private enum Ending {
    /// A new file was asked for, or the last batch is unfinished.
    case over
    /// The last file may lose its name in a power cut: its directory could not be synchronized.
    case unnamed
    case damaged
  }

  let files: JournalFiles
  let keys: JournalKeys
  let options: JournalOptions
  private let process = CurrentProcess.identifier
  private var file: FileDescriptor?
  /// The number of the last file; 0 before the first one.
  private(set) var fileNumber: UInt64 = 0
  /// The path of the last file; of the first one before it is there.
  private var path: String { files.path(of: max(1, fileNumber)) }
  private var fileTime: Int64 = 0
  /// The durable length of the last file.
  private var size: UInt64 = 0
  /// The point that the next segment follows: after all that is durable, or a header whose file may lose its name; nil
  /// in a new journal.
  private(set) var point: ChainPoint?
  private var segment: Segment?
  private var ending: Ending?

  /// Finds the end of the journal; the caller has the lock.
  init(_ files: JournalFiles, keys: JournalKeys, options: JournalOptions) throws(JournalError) {
    self.files = files
    self.keys = keys
    self.options = options
    guard let tail = try JournalTail.find(in: files) else { return }
    fileNumber = tail.fileNumber
    size = tail.offset
    point = tail.point
    fileTime = tail.fileTime ?? 0
    ending =
      switch tail.state {
      case .clean: nil
      case .unfinished: .over
      case .damaged: .damaged
      }
    let path = path
    let file = try withJournalErrors(path) { () throws(SystemFailure) in
      try FileDescriptor(openingForUpdating: path)
    }
    // The entries of a writer that was killed may not be durable yet, and the next header counts them.
    try withJournalErrors(path) { () throws(SystemFailure) in try file.synchronizeData() }
    self.file = file
  }

  func requireSameProcess() throws(JournalError) {
    guard CurrentProcess.identifier == process else {
      throw JournalError(.forked, path: files.directory)
    }
  }

  /// Appends entries as one batch; returns the number of the first one when all are durable.
  mutating func append(_ entries: EncodedEntries) throws(JournalError) -> UInt64 {
    try requireSameProcess()
    let (age, overflows) = options.clock().subtractingReportingOverflow(fileTime)
    if !overflows, options.rotation.isDue(size: size, age: age) { try rotate() }
    if segment == nil { try beginSegment() }
    guard let segment, let point else { throw JournalError(.closed, path: files.directory) }
    let plan = BatchPlan(
      entries.lengths, padding: options.padding, segment: segment.header.tag,
      mark: segment.framesLength, after: point)
    let (cipher, files, fileNumber, start) = (segment.cipher, files, fileNumber, size)
    var after = point
    try write(plan.byteCount) { file throws(JournalError) in
      let digests = try FrameGroup.map(plan.frames.count) { number throws(SealError) in
        let planned = plan.frames[number]
        let frame = try SoundFrame(
          planned.header, sealing: entries.bytes[planned.content], with: cipher)
        do throws(SystemFailure) {
          try file.write(frame.bytes.span, at: start + planned.offset)
        } catch {
          throw SealError(FileError(error, path: files.path(of: fileNumber)))
        }
        return frame.digest
      }
      for (frame, digest) in zip(plan.frames, digests) {
        try after.add(frame.header, digest: digest)
      }
    }
    self.segment?.framesLength += plan.byteCount
    self.segment?.latestTime = max(segment.latestTime, entries.latestTime)
    self.point = after
    return point.nextEntry
  }

  /// Writes bytes at the durable end of the file and makes them durable.
  private mutating func write(_ bytes: [UInt8]) throws(JournalError) {
    let (path, start) = (path, size)
    try write(UInt64(bytes.count)) { file throws(JournalError) in
      try withJournalErrors(path) { () throws(SystemFailure) in
        try file.write(bytes.span, at: start)
      }
    }
  }

  /// Lets `body` write `count` bytes at the durable end of the file, and makes them durable.
  ///
  /// After a failure the segment ends, so that no frame index is sealed twice under one key.
  private mutating func write(
    _ count: UInt64, by body: (FileDescriptor) throws(JournalError) -> Void
  ) throws(JournalError) {
    guard let file else { throw JournalError(.closed, path: files.directory) }
    let size = size
    do throws(JournalError) {
      try body(file)
    } catch {
      end(.over)
      do throws(SystemFailure) {
        try file.truncate(to: size)
        try file.synchronizeData()
      } catch {
        throw JournalError(
          .durabilityUnknown, path: path, detail: "a write failed and could not be undone",
          sealError: SealError(FileError(error, path: path)))
      }
      throw error
    }
    do throws(SystemFailure) {
      try file.synchronizeData()
    } catch {
      end(.over)
      // The next file counts what is durable, so nothing depends on whether this reaches the disk.
      try? file.truncate(to: size)
      throw JournalError(
        .durabilityUnknown, path: path, sealError: SealError(FileError(error, path: path)))
    }
    self.size += count
  }

  private mutating func end(_ ending: Ending) {
    segment = nil
    self.ending = ending
  }
}

// Segments and files.
extension SegmentWriter {
  private mutating func beginSegment() throws(JournalError) {
    let isNewFile = fileNumber == 0 || ending != nil
    let isAfterDamage = ending == .damaged
    let number = isNewFile ? fileNumber + 1 : fileNumber
    guard number <= JournalFormat.maximumFileNumber,
      max(point?.segment ?? 0, point?.nextEntry ?? 0) < JournalFormat.maximumNumber
    else { throw JournalError(.journalFull, path: files.directory) }
    let journalID: [UInt8]
    if let known = point?.journalID { journalID = known } else { journalID = try newJournalID() }
    let fields = SegmentFields(
      isAfterDamage: isAfterDamage, segment: point.map { $0.segment + 1 } ?? 0,
      firstEntry: point?.nextEntry ?? 0, time: options.clock(),
      framesBefore: isAfterDamage ? 0 : point?.frames ?? 0, fileNumber: number,
      journalID: journalID,
      digestBefore: (isAfterDamage ? nil : point?.digest) ?? JournalFormat.noDigest,
      publicMetadata: options.publicMetadata)
    let (recipients, draw) = (keys.recipients, options.randomness)
    let randomness = try asJournal { () throws(SealError) in try draw(recipients) }
    let (header, cipher) = try SegmentHeader.make(
      fields, for: recipients, context: keys.context, randomness: randomness)
    if isNewFile {
      try createFile(number, with: header)
    } else {
      try write(header.bytes)
    }
    point = try header.start()
    segment = Segment(header: header, cipher: cipher, latestTime: fields.time)
    if isNewFile { try? removeOldFiles() }
  }

  private func newJournalID() throws(JournalError) -> [UInt8] {
    if let id = options.journalID { return id }
    return try asJournal { () throws(SealError) in
      try RandomBytes.make(count: JournalFormat.journalIDLength)
    }
  }

  /// Makes a file that gets its name only when its header is durable.
  private mutating func createFile(
    _ number: UInt64, with header: SegmentHeader
  ) throws(JournalError) {
    let path = files.path(of: number)
    do throws(FileError) {
      let pending = try PendingFile(at: path)
      try pending.write(header.bytes, at: 0)
      try pending.createTarget()
      file = pending.file
      ending = nil
    } catch {
      // The file has its name, though perhaps not durably: it stays without entries, and the next one follows it.
      guard error.code == .durabilityUnknown else { throw JournalError(error) }
      (fileNumber, point) = (number, try header.start())
      end(.unnamed)
      throw JournalError(error)
    }
    fileNumber = number
    fileTime = header.fields.time
    size = UInt64(header.length)
  }

  /// The point after all that is durable; nil in a new journal.
  func durablePoint() throws(JournalError) -> ChainPoint? {
    if ending == .unnamed { throw JournalError(.durabilityUnknown, path: path) }
    return point
  }

  /// Closes the segment with an end, if one is open.
  mutating func closeSegment() throws(JournalError) {
    try requireSameProcess()
    guard let segment, let point, let digest = point.digest else { return }
    let end = try SegmentEnd(
      closing: point, digest: digest, latestTime: segment.latestTime,
      framesLength: segment.framesLength, headerLength: segment.header.length,
      with: segment.cipher)
    try write(try end.bytes())
    self.segment = nil
  }

  /// Makes the next entry begin a new file.
  mutating func rotate() throws(JournalError) {
    try closeSegment()
    if ending == nil { end(.over) }
  }

  /// Begins a new file at once, unless the journal has no files yet.
  mutating func beginFile() throws(JournalError) {
    try rotate()
    if fileNumber > 0 { try beginSegment() }
  }

  /// Removes the oldest files that the options do not keep.
  private func removeOldFiles() throws(JournalError) {
    guard !options.retention.keepsAll, let kept = try keptFiles() else { return }
    var removed = 0
    while removed + 1 < kept.count, isToBeRemoved(kept[removed...].map { ($0.size, $0.header) }) {
      removed += 1
    }
    try remove(removed, of: kept)
  }

  /// Removes the files whose entries all have numbers below `entry`; the newest file stays.
  ///
  /// Returns the number of files that are left; nil when one of them is damaged and nothing was removed.
  func removeFiles(before entry: UInt64) throws(JournalError) -> Int? {
    guard let kept = try keptFiles() else { return nil }
    var removed = 0
    while removed + 1 < kept.count, kept[removed + 1].header.firstEntry <= entry { removed += 1 }
    try remove(removed, of: kept)
    return kept.count - removed
  }

  private typealias KeptFile = (number: UInt64, size: UInt64, header: SegmentFields)

  /// The files that are not removed yet, in order; nil when one of them is damaged.
  private func keptFiles() throws(JournalError) -> [KeptFile]? {
    var kept: [KeptFile] = []
    for number in try files.kept().numbers {
      guard var window = try files.open(number), let header = try window.soundHeader(at: 0) else {
        // A damaged file is kept, with all after it, until a person has examined it.
        return nil
      }
      kept.append((number, try window.size(), header.fields))
    }
    return kept
  }

  /// Removes the first `count` files, once the record of their removal is durable; also removes files that a killed
  /// writer had recorded as removed.
  private func remove(_ count: Int, of kept: [KeptFile]) throws(JournalError) {
    guard let first = kept.dropFirst(count).first else { return }
    let removed = try files.numbers().filter { $0 < first.number }
    guard !removed.isEmpty else { return }
    try RetentionRecord(keepingFrom: first.header).write(to: files)
    for number in removed {
      let path = files.path(of: number)
      try withJournalErrors { () throws(FileError) in try DurableFile.remove(at: path) }
    }
  }

  /// True when the first of these files is to be removed; there are at least two.
  private func isToBeRemoved(_ files: [(size: UInt64, header: SegmentFields)]) -> Bool {
    let rule = options.retention
    if let limit = rule.files, files.count > max(1, limit) { return true }
    if let limit = rule.size {
      let total = files.reduce(UInt64(0)) { $0 &+ $1.size }
      if total > UInt64(clamping: limit) { return true }
    }
    if let limit = rule.age {
      // The first entry of the next file is later than all of this one.
      let (age, overflows) = options.clock().subtractingReportingOverflow(files[1].header.time)
      if !overflows, age > limit.milliseconds { return true }
    }
    return false
  }
}
