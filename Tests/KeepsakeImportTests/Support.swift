import Foundation
import KeepsakeArchive
import KeepsakeImport

/// The import error of some work; nil when it has none.
func importError<Result>(_ body: () throws -> Result) -> ImportError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ImportError
  }
}

/// A binary property list that is put together of the bytes of its objects.
enum BinaryFile {
  static func of(_ objects: [[UInt8]], top: Int = 0, referenceByteCount: UInt8 = 1) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += big(bytes.count, 4)
      bytes += object
    }
    let start = bytes.count
    let trailer =
      [0, 0, 0, 0, 0, 0, 4, referenceByteCount] + big(objects.count, 8) + big(top, 8)
      + big(start, 8)
    return bytes + table + trailer
  }

  /// A number, the highest byte first.
  static func big(_ number: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) }
  }
}
