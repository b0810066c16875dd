/// What is measured: the coordinates of one row of a report.
///
/// Rows that differ only in subject and variant do the same work on the same data, and are compared
/// with each other.
package struct BenchmarkIdentity: Hashable, Sendable {
  /// The part of Keepsake that the row is about.
  package enum Suite: String, CaseIterable, Codable, Sendable {
    case archive, seal, store, restoration, migration
  }

  /// The data.
  package enum Workload: String, CaseIterable, Codable, Sendable {
    case log, mesh, minecraft, media, rings, outlines, catalogue, feed, updates, doubles, floats
    case tree, graph, list, strings, blob, state
  }

  /// What is done with the data.
  package enum Operation: String, CaseIterable, Codable, Sendable {
    case encode, decode, read, verify, open, random, lookup, seal, unseal, range, rewrap, save, load
    case restore, migrate
  }

  package var suite: Suite
  package var workload: Workload
  package var operation: Operation
  package var subject: Subject
  /// How the subject is used, where it is used in several ways.
  package var variant: String?
  /// The number of elements or bytes, where it varies.
  package var size: Int?
  /// The number of threads, where it varies.
  package var threads: Int?

  package init(
    _ suite: Suite, _ workload: Workload, _ operation: Operation, _ subject: Subject,
    variant: String? = nil, size: Int? = nil, threads: Int? = nil
  ) {
    self.suite = suite
    self.workload = workload
    self.operation = operation
    self.subject = subject
    self.variant = variant
    self.size = size
    self.threads = threads
  }

  /// The work without who does it: equal for all rows that are compared.
  package var task: String {
    var task = "\(suite.rawValue)/\(workload.rawValue)/\(operation.rawValue)"
    if let size { task += " size=\(size)" }
    if let threads { task += " threads=\(threads)" }
    return task
  }

  /// The same work at any size: equal for the rows that growth is fitted through.
  package var growthName: String {
    var name = "\(suite.rawValue)/\(workload.rawValue)/\(operation.rawValue)"
    if let threads { name += " threads=\(threads)" }
    return name + " " + contender
  }

  /// Who does the work, and how.
  package var contender: String {
    variant.map { "\(subject.rawValue) (\($0))" } ?? subject.rawValue
  }
}

extension BenchmarkIdentity: CustomStringConvertible {
  package var description: String { "\(task) \(contender)" }
}
