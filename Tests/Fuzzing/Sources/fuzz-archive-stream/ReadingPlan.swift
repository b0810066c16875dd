import ArchiveForgery

/// How the sources of one run behave: the first bytes of an input.
struct ReadingPlan {
  static let byteCount = 8
  private let bytes: [UInt8]

  init(_ input: ArraySlice<UInt8>) {
    bytes = Array(input) + Array(repeating: 0, count: Self.byteCount - input.count)
  }

  /// What goes wrong in the sources, if anything does.
  enum Mischief {
    case none
    /// The call of this number fails.
    case failure(Int)
    /// From the call of this number on, other bytes are given than are there.
    case lie(Int)
  }

  var mischief: Mischief {
    switch bytes[0] % 8 {
    case 0: .failure(Int(bytes[1]))
    case 1: .lie(Int(bytes[1]))
    default: .none
    }
  }

  /// What the sizes of the pieces of a stream are made of.
  var pieceSeed: UInt8 { bytes[2] }

  /// How many bytes a positioned source likes to be asked for; some are none that make sense.
  var blockByteCount: Int {
    [64, 100, 256, 1000, 4096, 1 << 14, 1 << 20, 0, -1, .max][Int(bytes[3]) % 10]
  }

  /// Where a stream is cut short, in 256ths.
  var cut: Int { Int(bytes[4]) }

  /// Changes one byte of an archive, close to where one of its parts begins or ends.
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
