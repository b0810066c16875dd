package import Foundation

/// The figures of a run as a JSON array, one object for each row.
package enum ResultFile {
  package static func write(_ rows: [ResultRow], toFile path: String) throws {
    try encoded(rows).write(to: URL(filePath: path))
  }

  package static func encoded(_ rows: [ResultRow]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // One row on a line: a difference between two files is read line by line.
    let lines = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    return Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8)
  }

  package static func read(fromFile path: String) throws -> [ResultRow] {
    do {
      return try decoded(Data(contentsOf: URL(filePath: path)))
    } catch {
      throw CheckFailure(
        description: "\(path) holds no figures that --json wrote: \(error.localizedDescription)")
    }
  }

  package static func decoded(_ data: Data) throws -> [ResultRow] {
    try JSONDecoder().decode([ResultRow].self, from: data)
  }
}
