import ArchiveForgery

/// The plan of the sources' behaviour in one run: the first bytes of an input.
struct ReadingPlan {
  static let byteCount = 8
  private let bytes: [UInt8]

  init(_ input: ArraySlice<UInt8>) {
    bytes = Array(input) + Array(repeating: 0, count: Self.byteCount - input.count)
  }

  /// The fault of the sources, if any.
  enum Mischief {
    case none
    /// The call of this number fails.
    case failure(Int)
    /// From the call of this number on, wrong bytes are returned.
    case lie(Int)
  }

  var mischief: Mischief {
    switch bytes[0] % 8 {
    case 0: .failure(Int(bytes[1]))
    case 1: .lie(Int(bytes[1]))
    default: .none
    }
  }

  /// The seed of the sizes of a stream's pieces.
  var pieceSeed: UInt8 { bytes[2] }

  /// The preferred read length of a positioned source; some values are not sensible.
  var blockByteCount: Int {
    [64, 100, 256, 1000, 4096, 1 << 14, 1 << 20, 0, -1, .max][Int(bytes[3]) % 10]
  }

  /// The point at which a stream is cut short, in 256ths.
  var cut: Int { Int(bytes[4]) }

  /// Changes one byte of an archive, close to the start or end of one of its parts.
  func poke(_ archive: inout [UInt8], of parts: ArchiveParts) {
    guard bytes[7] != 0 else { return }
    var marks = [0, archive.count - 32, Int(archive.word(archive.count - 32))]
    var offset = 64
    for segment in parts.segments {
      marks.append(offset)
      let end = offset + 64 + segment.reduce(0) { $0 + $1.count }
      marks += [end, (end + 7) & ~7]
      offset = Int(archive.word(offset + 48)) + offset
    }
    let place = marks[Int(bytes[5]) % marks.count] + Int(bytes[6])
    if archive.indices.contains(place) { archive[place] ^= bytes[7] }
  }
}
