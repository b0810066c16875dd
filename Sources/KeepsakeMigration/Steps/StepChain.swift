/// The check that steps form one chain (Spec/migration.md, section 4).
enum StepChain {
  /// The facts of one step for the check.
  struct Link<Version: Comparable> {
    var from: Version
    var to: Version
    var name: String
  }

  /// The indices of the steps in the order of their versions.
  static func ordered<Version: Comparable>(
    _ links: [Link<Version>]
  ) throws(MigrationError) -> [Int] {
    try checkDirections(links)
    let order = links.indices.sorted { links[$0].from < links[$1].from }
    for (earlier, later) in zip(order, order.dropFirst()) {
      let (one, next) = (links[earlier], links[later])
      if one.from == next.from {
        throw refusal(
          .duplicateStep, next, "the steps \(one.name) and \(next.name) begin with one version")
      }
      if one.to < next.from {
        throw refusal(
          .gap, next, "no step leads from the end of \(one.name) to the beginning of \(next.name)")
      }
      if one.to > next.from {
        throw refusal(
          .overlap, next, "the step \(next.name) begins before the step \(one.name) has ended")
      }
    }
    return order
  }

  /// Throws for a step that leads backwards; versions are ordered, so every cycle contains such a step, and it is a
  /// cycle when the other steps lead to the version with which that step begins.
  private static func checkDirections<Version: Comparable>(
    _ links: [Link<Version>]
  ) throws(MigrationError) {
    guard let back = links.first(where: { $0.from >= $0.to }) else { return }
    var reached = back.to
    for _ in links where reached != back.from {
      guard let next = links.first(where: { $0.from == reached && $0.from < $0.to }) else { break }
      reached = next.to
    }
    guard back.from != back.to, reached == back.from else {
      throw refusal(.backwardsStep, back, "the step \(back.name) does not lead forward")
    }
    throw refusal(
      .cycle, back, "the step \(back.name) leads back to where other steps came from")
  }

  private static func refusal<Version>(
    _ code: MigrationError.Code, _ link: Link<Version>, _ message: String
  ) -> MigrationError {
    MigrationError(code, message: message, step: link.name)
  }
}

extension StepChain.Link<BundleVersion> {
  init(_ step: MigrationStep) {
    self.init(from: step.from, to: step.to, name: "\(step)")
  }
}

extension StepChain.Link<UInt32> {
  init(_ step: SchemaMigrationStep) {
    self.init(from: step.from, to: step.to, name: "\(step)")
  }
}
