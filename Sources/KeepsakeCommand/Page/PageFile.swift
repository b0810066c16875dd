import CommandSupport
import Foundation
import Keepsake

/// A page for a browser: one file that contains archives, their facts, and the scripts that show them.
///
/// It loads nothing. Its content security policy allows only scripts with a nonce, which is random for each page.
/// Archives are in base 64, and facts are JSON in which `<` is escaped, so no content of a file ends the element
/// that contains it.
struct PageFile {
  /// The bytes that are written at once; a multiple of three, so that base 64 has no padding inside.
  private static let pieceByteCount = 3 << 15

  private static let scripts = [
    PackageResources.reader_js, PackageResources.text_js, PackageResources.bytes_js,
    PackageResources.rows_js, PackageResources.search_js, PackageResources.details_js,
    PackageResources.sizes_js, PackageResources.inspect_js, PackageResources.compare_js,
    PackageResources.main_js,
  ]

  private let output: Output
  /// The text after the data.
  private let ending: String

  init(to output: Output) throws {
    self.output = output
    let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    let parts = Self.text(PackageResources.page_html)
      .replacing("{nonce}", with: nonce)
      .replacing("{style}", with: Self.text(PackageResources.page_css))
      .replacing("{script}", with: Self.scripts.map(Self.text).joined(separator: "\n"))
      .components(separatedBy: "{data}")
    ending = parts.dropFirst().joined()
    try output.write(text: parts[0])
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  func write(facts: JSONValue) throws {
    try output.write(text: "<script type=\"application/json\" id=\"facts\">")
    try output.write(text: facts.text().replacing("<", with: "\\u003c"))
    try output.write(text: "</script>\n")
  }

  func write(_ archive: Archive, id: String) throws {
    try output.write(text: "<script type=\"text/plain\" id=\"\(id)\">")
    for start in stride(from: 0, to: archive.byteCount, by: Self.pieceByteCount) {
      let piece = try archive.bytes(in: start..<start + Self.pieceByteCount)
      try output.write(text: Data(piece).base64EncodedString())
    }
    try output.write(text: "</script>\n")
  }

  func finish() throws {
    try output.write(text: ending)
    try output.finish()
  }
}
