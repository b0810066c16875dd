import SwiftProtobuf

/// A value of the program's own type that becomes a protobuf message and back.
///
/// An app has its own types; the conversion is part of what it does to save them, so it is measured.
protocol MessageConvertible {
  associatedtype Message: SwiftProtobuf.Message

  var message: Message { get }
  init(_ message: Message)
}
