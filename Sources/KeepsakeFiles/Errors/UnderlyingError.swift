/// The error that led to another one; two errors are compared without it.
package struct UnderlyingError: Hashable, Sendable {
  package let error: (any Error)?

  package init(_ error: (any Error)?) { self.error = error }

  package static func == (_: UnderlyingError, _: UnderlyingError) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
