import KeepsakeArchive
import SwiftProtobuf

/// The element type of a long list of numbers, with the message for such a list.
protocol ListedNumber: Codable, Equatable, Sendable, ArchiveScalar {
  associatedtype List: SwiftProtobuf.Message

  static func list(of numbers: [Self]) -> List
  static func numbers(of list: List) -> [Self]
  static func next(_ random: inout PermutedCongruentialGenerator) -> Self
}

extension Double: ListedNumber {
  static func list(of numbers: [Double]) -> PBDoubles {
    var message = PBDoubles()
    message.numbers = numbers
    return message
  }

  static func numbers(of list: PBDoubles) -> [Double] { list.numbers }

  static func next(_ random: inout PermutedCongruentialGenerator) -> Double {
    random.nextDouble()
  }
}

extension Float: ListedNumber {
  static func list(of numbers: [Float]) -> PBFloats {
    var message = PBFloats()
    message.numbers = numbers
    return message
  }

  static func numbers(of list: PBFloats) -> [Float] { list.numbers }

  static func next(_ random: inout PermutedCongruentialGenerator) -> Float { random.nextFloat() }
}
