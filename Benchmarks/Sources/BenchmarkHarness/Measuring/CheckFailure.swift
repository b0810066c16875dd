/// What a workload or a subject must be for its figures to mean anything.
package struct CheckFailure: Error, CustomStringConvertible {
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

/// Stops the suite when a fact that it rests on does not hold.
package func check(_ holds: Bool, _ description: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(description: description()) }
}
