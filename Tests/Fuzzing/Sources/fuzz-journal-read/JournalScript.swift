@testable internal import KeepsakeJournal
@testable internal import KeepsakeSeal

/// Writes journals as a holder of the key can forge them: an input is a list of steps, each of which appends a header, a
/// frame, an end or raw bytes, begins a file, or changes earlier bytes.
///
/// Frames and headers have right tags and checks, with numbers that the input may shift. So an input gets past the
/// checks that a mutated file would fail.
struct JournalScript {
  /// The files by their numbers, from 1, and the record of removed ones.
  private(set) var files: [[UInt8]] = [[]]
  private(set) var retention: [UInt8]?
  private var input: ArraySlice<UInt8>
  private var point: ChainPoint?
  private var cipher: FrameCipher?
  private var tag: UInt64 = 0
  private var headerLength = 0
  private var framesStart = 0
  private var headerCount: UInt8 = 0
  private let key: SealKey

  init(_ input: [UInt8], key: SealKey) throws(JournalError) {
    self.input = input[...]
    self.key = key
    while !self.input.isEmpty, files.count < 5, files.last?.count ?? 0 < 1 << 19 { try step() }
  }

  private mutating func byte() -> UInt8 { input.popFirst() ?? 0 }

  /// A number to be added: mostly zero, sometimes small, sometimes huge.
  private mutating func offset() -> UInt64 {
    switch byte() {
    case 0..<224: 0
    case 224..<240: 1
    case 240..<248: UInt64.max
    case 248..<252: UInt64(1) << 63
    default: UInt64(byte())
    }
  }

  private mutating func step() throws(JournalError) {
    switch byte() % 12 {
    case 0: try appendHeader(isNewFile: false)
    case 1: try appendHeader(isNewFile: true)
    case 2, 3, 4: try appendFrame(.whole)
    case 5: try appendFrame(.begin)
    case 6: try appendFrame(.middle)
    case 7: try appendFrame(.last)
    case 8: try appendEnd()
    case 9: append(take(Int(byte())))
    case 10: change()
    default: try removeFiles()
    }
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(input.prefix(count))
    input = input.dropFirst(count)
    return taken
  }

  /// The bytes after the last header; none when the file was cut before.
  private var framesLength: UInt64 { UInt64(max(0, (files.last?.count ?? 0) - framesStart)) }

  private mutating func append(_ bytes: [UInt8]) { files[files.count - 1] += bytes }

  private mutating func appendHeader(isNewFile: Bool) throws(JournalError) {
    if isNewFile, files.last?.isEmpty == false { files.append([]) }
    let isAfterDamage = byte() > 224
    let before = point
    let metadata = byte() > 200 ? take(Int(byte())) : []
    let fields = SegmentFields(
      isAfterDamage: isAfterDamage,
      segment: (before.map { $0.segment &+ 1 } ?? 0) &+ offset(),
      firstEntry: (before?.nextEntry ?? 0) &+ offset(), time: Int64(byte()),
      framesBefore: isAfterDamage ? 0 : (before?.frames ?? 0) &+ offset(),
      fileNumber: UInt64(files.count) &+ offset(),
      journalID: [UInt8](repeating: 3, count: 16),
      digestBefore: (isAfterDamage ? nil : before?.digest) ?? JournalFormat.noDigest,
      publicMetadata: metadata)
    headerCount &+= 1
    let (key, count) = (key, headerCount)
    let (header, cipher) = try SegmentHeader.make(
      fields, for: [.key(key)], context: [],
      randomness: asJournal { () throws(SealError) in
        SegmentRandomness(
          dataKey: try SecretBytes(copying: [UInt8](repeating: count, count: 32).span),
          segmentID: [UInt8](repeating: count, count: 32),
          slots: [(nonce: [UInt8](repeating: count, count: 24), seed: nil)])
      })
    append(header.bytes)
    self.cipher = cipher
    point = try header.start()
    tag = header.tag
    headerLength = header.length
    framesStart = files.last?.count ?? 0
  }

  private mutating func appendFrame(_ kind: FrameKind) throws(JournalError) {
    guard let cipher, var next = point else { return append([byte()]) }
    var (plaintext, count): ([UInt8], UInt32) = ([], 0)
    switch kind {
    case .whole:
      for _ in 0...Int(byte() % 3) {
        let content = take(Int(byte() % 32))
        plaintext += entry(length: content.count) + content
        count += 1
      }
    case .begin:
      count = 1
      plaintext = entry(length: 65_536 + Int(byte()) << 9)
      plaintext += [UInt8](repeating: 9, count: 65_536 - plaintext.count)
    case .middle: plaintext = [UInt8](repeating: 8, count: 65_536)
    case .last: plaintext = [UInt8](repeating: 7, count: 1 + Int(byte()) << 8)
    }
    if byte() > 240, kind == .whole || kind == .last {
      plaintext += [UInt8](repeating: 0, count: Int(byte()))
    }
    let isOff = byte() > 200
    let mark = framesLength
    let header = FrameHeader(
      kind: kind, count: count, length: plaintext.count + JournalFormat.tagLength, segment: tag,
      index: next.frames &+ (isOff ? offset() : 0), first: next.nextEntry &+ (isOff ? offset() : 0),
      mark: isOff ? mark &+ offset() : mark)
    let content = plaintext
    let frame = try asJournal { () throws(SealError) in
      try SoundFrame(header, sealing: content[...], with: cipher)
    }
    append(Array(frame.bytes))
    if isOff {
      next.frames = frame.header.index
      next.nextEntry = frame.header.first
    }
    guard next.frames < .max, UInt64.max - next.nextEntry > UInt64(count) else { return }
    try next.add(frame.header, digest: frame.digest)
    point = next
  }

  /// The header of an entry; the input may break it.
  private mutating func entry(length: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(clamping: length))
    bytes += [0, 0, byte() > 250 ? byte() : 0, 0]
    bytes.appendLittleEndian(UInt32(byte()))
    bytes.appendLittleEndian(Int64(byte()))
    if byte() > 250 { bytes[Int(byte()) % bytes.count] = byte() }
    return bytes
  }

  private mutating func appendEnd() throws(JournalError) {
    guard let cipher, let point else { return append([byte()]) }
    var closing = point
    closing.frames = closing.frames &+ offset()
    closing.nextEntry = closing.nextEntry &+ offset()
    let length = framesLength &+ offset()
    let end = try SegmentEnd(
      closing: closing, digest: point.digest ?? JournalFormat.noDigest, latestTime: Int64(byte()),
      framesLength: length,
      headerLength: headerLength &+ Int(truncatingIfNeeded: offset() & 0xFFFF),
      with: cipher)
    append(try end.bytes())
  }

  /// Changes a byte, cuts the file, or repeats a part of it.
  private mutating func change() {
    let last = files.count - 1
    let (choice, place) = (byte(), Int(byte()) << 8 | Int(byte()))
    guard !files[last].isEmpty else { return }
    let offset = place % files[last].count
    switch choice % 3 {
    case 0: files[last][offset] ^= byte() | 1
    case 1: files[last].removeSubrange(offset...)
    default:
      let part = files[last][offset...].prefix(Int(byte()) << 2)
      files[last] += part
    }
  }

  private mutating func removeFiles() throws(JournalError) {
    guard let first = files.firstIndex(where: { !$0.isEmpty }), first + 1 < files.count else {
      return
    }
    guard let header = try? SegmentHeader.first(of: files[first + 1]) else { return }
    files[first] = []
    var bytes = JournalFormat.retentionMagic + header.fields.journalID
    bytes.appendLittleEndian(header.fields.fileNumber &+ offset())
    bytes.appendLittleEndian(header.fields.segment)
    bytes.appendLittleEndian(header.fields.firstEntry)
    bytes += header.fields.digestBefore + [UInt8](repeating: 0, count: 16)
    let body = bytes
    bytes += try asJournal { () throws(SealError) in
      try Blake2b.hash(body, count: JournalFormat.checkLength)
    }
    retention = bytes
  }
}

extension SegmentHeader {
  fileprivate static func first(of file: [UInt8]) throws(JournalError) -> SegmentHeader {
    let length = try length(stating: Array(file.prefix(JournalFormat.preambleLength)))
    return try SegmentHeader(parsing: Array(file.prefix(length)))
  }
}
