/// A binary property list that is assembled from the bytes of its objects.
package struct BinaryFile {
  private var bytes = Array("bplist00".utf8)
  private var offsets: [Int] = []
  private let referenceByteCount: Int

  package init(referenceByteCount: Int = 1) { self.referenceByteCount = referenceByteCount }

  package static func of(
    _ objects: [[UInt8]], top: Int = 0, referenceByteCount: Int = 1
  ) -> [UInt8] {
    var file = BinaryFile(referenceByteCount: referenceByteCount)
    for object in objects { file.add(object) }
    return file.finish(top: top)
  }

  /// Adds an object: its marker, a length of eight bytes if there is one, and the numbers of other objects.
  package mutating func add(
    _ head: [UInt8], length: Int? = nil, references: some Sequence<Int> = []
  ) {
    offsets.append(bytes.count)
    bytes += head
    if let length {
      bytes.append(0x13)
      append(length, 8)
    }
    for reference in references { append(reference, referenceByteCount) }
  }

  /// Adds a text of ASCII.
  package mutating func add(_ text: String) {
    add([0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8))
  }

  /// Ends the file, which states `objectCount` objects; by default as many as it has.
  package mutating func finish(top: Int = 0, objectCount: Int? = nil) -> [UInt8] {
    let start = bytes.count
    for offset in offsets { append(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceByteCount)]
    append(objectCount ?? offsets.count, 8)
    append(top, 8)
    append(start, 8)
    return bytes
  }

  /// A number, the highest byte first.
  package static func big(_ number: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) }
  }

  /// Appends a number without an array for it, since some files have millions.
  private mutating func append(_ number: Int, _ byteCount: Int) {
    var shift = 8 * byteCount
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(number >> shift & 0xFF))
    }
  }
}
