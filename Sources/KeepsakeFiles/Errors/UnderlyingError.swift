/// The cause of an error; all causes are equal, so that errors are compared without them.
package struct UnderlyingError: Hashable, Sendable {
  package let error: (any Error)?

  package init(_ error: (any Error)?) { self.error = error }

  package static func == (_: UnderlyingError, _: UnderlyingError) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
