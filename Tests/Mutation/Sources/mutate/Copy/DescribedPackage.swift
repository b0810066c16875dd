import Foundation

/// The package manager's description of a package.
struct DescribedPackage: Decodable {
  struct Target: Decodable {
    let name: String
    let type: String
    let path: String
    let sources: [String]
    let dependencies: [String]?

    enum CodingKeys: String, CodingKey {
      case name, type, path, sources
      case dependencies = "target_dependencies"
    }

    var isTest: Bool { type == "test" }
    var sourcePaths: [String] { sources.map { "\(path)/\($0)" } }
  }

  let name: String
  let targets: [Target]

  /// Targets with all targets that they depend on.
  func closure(of names: Set<String>) -> Set<String> {
    var found = names
    var waiting = Array(names)
    while let name = waiting.popLast() {
      for next in targets.first(where: { $0.name == name })?.dependencies ?? []
      where found.insert(next).inserted {
        waiting.append(next)
      }
    }
    return found
  }

  /// The tests of a module itself: those named after it, else those that depend on it directly.
  func ownTests(of module: String) -> Set<String> {
    let tests = targets.filter(\.isTest)
    if tests.contains(where: { $0.name == module + "Tests" }) { return [module + "Tests"] }
    return Set(tests.filter { $0.dependencies?.contains(module) == true }.map(\.name))
  }

  /// All tests that depend on a module.
  func allTests(of module: String) -> Set<String> {
    Set(targets.filter { $0.isTest && closure(of: [$0.name]).contains(module) }.map(\.name))
  }
}
