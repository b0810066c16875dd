internal import ArchiveForgery
internal import Foundation
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeCodable
internal import KeepsakeDocuments

/// Decodes hostile archives as `Codable` types.
///
/// A value that decodes can be encoded, decodes to an equal value, and is encoded to the same bytes again,
/// whatever was encoded before.
///
/// The input is a byte that chooses the type, and an archive.
@main struct FuzzCodableDecode {
  static func main() throws {
    let target = FuzzTarget(
      seeds: {
        let inputs = try DecodedSeeds.inputs()
        for input in inputs where !decodes(input) { broken("a seed does not decode") }
        return try inputs + DecodedSeeds.everyKind()
      },
      repair: { input, choice in
        Array(input.prefix(1)) + ArchiveForger.repaired(Array(input.dropFirst()), choice)
      },
      body: { input in _ = decodes(input) })
    try target.run()
  }

  /// True when an input can be decoded as the type that it chooses.
  private static func decodes(_ input: [UInt8]) -> Bool {
    let archive = Data(input.dropFirst())
    return switch (input.first ?? 0) % 12 {
    case 0: check(DecodedTree.self, archive)
    case 1: check(DecodedDog.self, archive)
    case 2: check(DecodedRow.self, archive)
    case 3: check(DecodedValue.self, archive)
    case 4: check([String: DecodedChoice?].self, archive)
    case 5: check([[Int]?].self, archive)
    case 6: check([DecodedRank: DecodedTree].self, archive)
    case 7: check(DecodedPuppy.self, archive)
    case 8: check([DecodedTree].self, archive)
    case 9: check([DecodedSuit: DecodedNumber<Float>].self, archive)
    case 10: check(Set<URL>.self, archive)
    default: check([Int: UInt128].self, archive)
    }
  }

  private static func check<Value: Codable & Equatable>(
    _ type: Value.Type, _ archive: Data
  ) -> Bool {
    let value: Value
    do {
      value = try ArchiveDecoder().decode(type, from: archive)
    } catch {
      expectTyped(error)
      return false
    }
    do {
      let copy = try ArchiveEncoder().encode(value)
      if case .notCanonical(let error) = try Archive(Array(copy)).verdict() { throw error }
      let again = try ArchiveDecoder().decode(type, from: copy)
      guard again == value else { broken("\(value) became \(again)") }
      guard try ArchiveEncoder().encode(value) == copy else {
        broken("\(value) has other bytes when it is encoded again")
      }
      return true
    } catch {
      broken("a decoded value cannot be written and read: \(error)")
    }
  }

  /// Checks that an error has a description and a place.
  private static func expectTyped(_ error: any Error) {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    default: broken("an error of another type: \(error)")
    }
    guard !context.debugDescription.isEmpty, context.codingPath.count <= 64 else {
      broken("an error without a place: \(error)")
    }
  }
}
