import Foundation
import Testing

@testable import KeepsakeSeal

/// The vectors of Spec/Vectors/sealed, whose outcomes another implementation found.
@Suite struct `The sealed vectors of the specification` {
  private let vectors: [SealedVector]

  init() throws { vectors = try SealedVector.all() }

  @Test func `Sealed files have the outcome that their vector states`() throws {
    let files = vectors.filter { $0.kind == "sealed file" && $0.open.salvage != true }
    #expect(files.count >= 220)
    for vector in files {
      let found = try vector.outcome()
      #expect(found == vector.expected, Comment(rawValue: vector.name))
    }
  }

  @Test func `The intact parts of damaged files are recovered`() throws {
    let files = vectors.filter { $0.open.salvage == true }
    #expect(files.count >= 8)
    for vector in files {
      let found = try vector.salvaged()
      #expect(found == vector.expected, Comment(rawValue: vector.name))
    }
  }

  @Test func `Key files and texts have the outcome that their vector states`() throws {
    let others = vectors.filter { $0.kind != "sealed file" }
    #expect(others.count >= 100)
    for vector in others {
      let found = try vector.secret()
      #expect(found == vector.expected, Comment(rawValue: vector.name))
    }
  }

  @Test func `A writer with the same random values writes the same bytes`() throws {
    let written = vectors.filter { $0.written != nil }
    #expect(written.count >= 100)
    for vector in written {
      let bytes = try vector.written?.sealed()
      #expect(try bytes == vector.data(), Comment(rawValue: vector.name))
    }
  }
}
