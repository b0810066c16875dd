import Synchronization

/// The objects of a report, made when somebody asks for them: a save does not wait for its report.
final class ReportedObjects: Sendable {
  private let make: (@Sendable () -> [ReportedObject])?
  private let made = Mutex<[ReportedObject]?>(nil)

  init(_ make: (@Sendable () -> [ReportedObject])?) {
    self.make = make
  }

  static let none = ReportedObjects(nil)

  var objects: [ReportedObject] {
    made.withLock { made in
      if let made { return made }
      let objects = make?() ?? []
      made = objects
      return objects
    }
  }
}

extension ReportedObjects: Hashable {
  static func == (left: ReportedObjects, right: ReportedObjects) -> Bool {
    left === right || left.objects == right.objects
  }

  func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}

extension [ReportedObject] {
  /// The objects as an indented tree, one a line, parents before their children, and the contained nodes
  /// of each in their own order.
  var tree: [String] {
    var children: [Int: [Int]] = [:]
    for (index, object) in enumerated() {
      children[object.parentIndex ?? -1, default: []].append(index)
    }
    let below = { (index: Int) -> [Int] in
      // What is contained comes before what is presented and the views; equal ranks stay in their order.
      (children[index] ?? []).sorted {
        (self[$0].rank ?? .max, $0) < (self[$1].rank ?? .max, $1)
      }
    }
    var lines: [String] = []
    var pending = below(-1).reversed().map { (index: $0, depth: 0) }
    while let (index, depth) = pending.popLast() {
      lines.append(String(repeating: "  ", count: depth) + self[index].description)
      pending += below(index).reversed().map { (index: $0, depth: depth + 1) }
    }
    return lines
  }
}
