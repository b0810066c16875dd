/// The identity of a benchmark: the coordinates of one row of a report.
///
/// Rows that differ only in subject and variant do the same work on the same data, and are compared
/// with each other.
package struct BenchmarkIdentity: Hashable, Sendable {
  /// The part of Keepsake that the row measures.
  package enum Suite: String, CaseIterable, Codable, Sendable {
    case archive, seal, store, journal, remote, restoration, migration, command
  }

  /// The data.
  package enum Workload: String, CaseIterable, Codable, Sendable {
    case log, mesh, minecraft, media, rings, outlines, catalogue, feed, updates, orders, timeline
    case venues, doubles, floats
    case tree, graph, list, strings, blob, state
  }

  /// The operation on the data.
  package enum Operation: String, CaseIterable, Codable, Sendable {
    case encode, decode, read, verify, open, random, lookup, seal, unseal, range, rewrap, save, load
    case append, restore, migrate, `import`, export
  }

  package var suite: Suite
  package var workload: Workload
  package var operation: Operation
  package var subject: Subject
  /// The way in which the subject is used, if there are several; nil for its plain form.
  package var variant: String?
  /// The number of elements or bytes, if it varies.
  package var size: Int?
  /// The number of threads, if it varies.
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

  /// The work without its subject: equal for all rows that are compared.
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

  /// The subject and its variant.
  package var contender: String {
    variant.map { "\(subject.rawValue) (\($0))" } ?? subject.rawValue
  }
}

extension BenchmarkIdentity: CustomStringConvertible {
  package var description: String { "\(task) \(contender)" }
}
