import KeepsakeFiles
import KeepsakeSeal

/// The files of a journal by their numbers (Spec/journal.md, section 6).
struct JournalFiles: Sendable {
  /// The path of the directory, or the address in an object store.
  let directory: String
  let storage: any JournalStorage
  private static let fileExtension = ".journal"
  private static let digitCount = 10
  private static let retentionName = "retention"

  init(_ directory: String) { self.init(directory, in: DirectoryStorage(directory: directory)) }

  init(_ directory: String, in storage: any JournalStorage) {
    self.directory = directory
    self.storage = storage
  }

  var lockPath: String { directory + "/lock" }
  var retentionPath: String { directory + "/" + JournalFiles.retentionName }

  func path(of number: UInt64) -> String { directory + "/" + JournalFiles.name(of: number) }

  static func name(of number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, digitCount - digits.count)) + digits + fileExtension
  }

  /// The numbers of all files, in order; other names are ignored.
  func numbers() throws(JournalError) -> [UInt64] {
    try storage.names().compactMap { JournalFiles.number(named: $0) }
  }

  /// The number of the file with a name; nil for all other names.
  static func number(named name: String) -> UInt64? {
    guard name.hasSuffix(fileExtension) else { return nil }
    let digits = name.dropLast(fileExtension.count)
    guard digits.utf8.count == digitCount,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt64(digits), number > 0
    else { return nil }
    return number
  }

  /// The numbers of the files that are kept, in order and without a gap, and the record of the removed files.
  func kept() throws(JournalError) -> (numbers: [UInt64], retention: RetentionRecord?) {
    // The record is read after the names: files that are removed in between have lower numbers than it states.
    let all = try numbers()
    let retention = try RetentionRecord.read(from: self)
    let first = retention?.fileNumber ?? 1
    let numbers = all.filter { $0 >= first }
    var expected = first
    for number in numbers {
      guard number == expected else {
        throw JournalError(.missingFile, path: path(of: expected))
      }
      expected += 1
    }
    guard !numbers.isEmpty || retention == nil else {
      throw JournalError(.missingFile, path: path(of: first))
    }
    return (numbers, retention)
  }

  /// Opens a file for reading; nil when it does not exist.
  func open(_ number: UInt64) throws(JournalError) -> FileWindow? {
    let file = try storage.open(JournalFiles.name(of: number))
    return file.map { FileWindow($0, path: path(of: number)) }
  }

  /// At most `count` bytes of the record of removed files; nil when it does not exist.
  func retention(upTo count: Int) throws(JournalError) -> [UInt8]? {
    try storage.open(JournalFiles.retentionName)?.read(upTo: count, at: 0)
  }

  /// The first header of a file; nil when the file does not exist.
  func firstHeader(of number: UInt64) throws(JournalError) -> SegmentHeader? {
    guard var window = try open(number) else { return nil }
    return try window.header(at: 0)
  }
}

/// Buffered reads of a file that may grow.
///
/// A read that continues the previous one takes twice as much from the file. So reading in order takes few calls, and a
/// single read takes little memory.
struct FileWindow {
  private let file: any StoredFile
  let path: String
  private var start: UInt64 = 0
  private var bytes: [UInt8] = []
  /// The least number of bytes that the next read takes.
  private var length = FileWindow.shortest
  /// Frames that were opened together, by their offsets.
  private var opened: [UInt64: SoundFrame] = [:]
  private(set) var readCount = 0
  private static let shortest = 512
  private static let longest = 1 << 20

  init(_ file: any StoredFile, path: String) {
    self.file = file
    self.path = path
  }

  init(_ file: FileDescriptor, path: String) {
    self.init(LocalFile(file, path: path), path: path)
  }

  /// Reads up to `count` bytes; fewer at the end of the file.
  mutating func read(_ count: Int, at offset: UInt64) throws(JournalError) -> [UInt8] {
    let first = try fill(count, at: offset)
    return Array(bytes[first..<min(first + count, bytes.count)])
  }

  /// Reads until `count` bytes from an offset are in memory, or the file ends; returns the index of the first byte.
  private mutating func fill(_ count: Int, at offset: UInt64) throws(JournalError) -> Int {
    if offset >= start, let skipped = Int(exactly: offset - start), skipped <= bytes.count,
      bytes.count - skipped >= count
    {
      return skipped
    }
    let follows = !bytes.isEmpty && offset >= start && offset - start <= UInt64(bytes.count)
    length = follows ? min(2 * length, FileWindow.longest) : FileWindow.shortest
    bytes = try file.read(upTo: max(count, length), at: offset)
    opened = [:]
    start = offset
    readCount += 1
    return 0
  }

  /// Drops what was read, since the file may have changed.
  mutating func forget() { (bytes, opened) = ([], [:]) }

  /// Drops the frames that were opened, since the next ones have another key.
  mutating func forgetOpened() { opened = [:] }

  /// Opens the frame at an offset, with those that follow it and are in memory; threads share the work.
  ///
  /// A few small frames are left to ``frame(at:isChecked:)``.
  mutating func openFrames(
    at offset: UInt64, with cipher: FrameCipher, isChecked: Bool
  ) throws(JournalError) {
    guard opened[offset] == nil else { return }
    opened = [:]
    var next = try fill(JournalFormat.framePrefixLength, at: offset)
    guard let header = FrameHeader(parsing: bytes, at: next) else { return }
    next = try fill(header.frameLength, at: offset)
    var starts: [Int] = []
    while starts.count < FrameGroup.length, let header = FrameHeader(parsing: bytes, at: next),
      header.frameLength <= bytes.count - next
    {
      starts.append(next)
      next += header.frameLength
    }
    guard starts.count >= FrameGroup.leastLength,
      next - starts[0] >= FrameGroup.leastLength * JournalFormat.maximumPlaintextLength
    else { return }
    let (bytes, all) = (bytes, starts)
    let frames = try FrameGroup.map(all.count) { number throws(SealError) in
      try SoundFrame(parsing: bytes, at: all[number], isChecked: isChecked, with: cipher)
    }
    for (start, frame) in zip(starts, frames) {
      opened[self.start + UInt64(start)] = frame
    }
  }

  func size() throws(JournalError) -> UInt64 { try file.size() }

  /// The frame at an offset; nil when there is no sound one.
  ///
  /// If the check is left out, only the clear fields of the frame are known to be sound.
  mutating func frame(
    at offset: UInt64, isChecked: Bool = true
  ) throws(JournalError) -> SoundFrame? {
    if let frame = opened[offset], !isChecked || frame.digest != nil { return frame }
    let first = try fill(JournalFormat.framePrefixLength, at: offset)
    guard let header = FrameHeader(parsing: bytes, at: first) else { return nil }
    let start = try fill(header.frameLength, at: offset)
    let bytes = bytes
    return try asJournal { () throws(SealError) in
      try SoundFrame(parsing: bytes, at: start, isChecked: isChecked)
    }
  }

  /// The end at an offset; nil when there is no sound one.
  mutating func end(at offset: UInt64) throws(JournalError) -> SegmentEnd? {
    try SegmentEnd(parsing: read(JournalFormat.endLength, at: offset))
  }

  /// The header at an offset; throws the error of the first rule that it breaks.
  mutating func header(at offset: UInt64) throws(JournalError) -> SegmentHeader {
    do throws(JournalError) {
      let preamble = try read(JournalFormat.preambleLength, at: offset)
      let length = try SegmentHeader.length(stating: preamble)
      return try SegmentHeader(parsing: try read(length, at: offset))
    } catch {
      throw error.at(path, offset: offset)
    }
  }

  /// The header at an offset; nil when there is no sound one.
  mutating func soundHeader(at offset: UInt64) throws(JournalError) -> SegmentHeader? {
    do throws(JournalError) {
      return try header(at: offset)
    } catch {
      if error.isAboutBytes { return nil }
      throw error
    }
  }
}

extension JournalError {
  /// True when the bytes of the journal are at fault, and not the system or the keys.
  var isAboutBytes: Bool {
    [
      .notJournal, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags, .malformedHeader,
      .damagedHeader, .wrongFile, .brokenChain, .damaged,
    ].contains(code)
  }

  /// True when reading can continue after the error: damage, or a file that does not begin with a sound header.
  var allowsContinuing: Bool {
    code == .damaged
      || offset == 0 && [.notJournal, .malformedHeader, .damagedHeader].contains(code)
  }
}
