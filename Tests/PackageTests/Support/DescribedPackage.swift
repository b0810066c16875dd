import Foundation

/// The description of this package that `swift package describe --type json` prints.
struct DescribedPackage: Decodable {
  struct Target: Decodable {
    var name: String
    var type: String
    var path: String
    var targetDependencies: [String]?
    var productDependencies: [String]?
    var productMemberships: [String]?

    /// Everything that the target may import, sorted.
    var dependencies: [String] {
      ((targetDependencies ?? []) + (productDependencies ?? [])).sorted()
    }
  }

  struct Product: Decodable {
    var name: String
    var targets: [String]
  }

  struct Dependency: Decodable {
    var identity: String
  }

  var targets: [Target]
  var dependencies: [Dependency]

  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(DescribedPackage.self, from: json)
  }

  static func ofThisRepository() throws -> DescribedPackage {
    try DescribedPackage(json: SwiftPackageCommand.run(["describe", "--type", "json"]))
  }

  /// The products that the manifest declares, with their targets.
  ///
  /// `describe` also lists the products that SwiftPM adds for executables, which other packages do not see.
  static func declaredProducts() throws -> [String: [String]] {
    struct Manifest: Decodable {
      var products: [Product]
    }
    let json = try SwiftPackageCommand.run(["dump-package"])
    let products = try JSONDecoder().decode(Manifest.self, from: json).products
    return Dictionary(products.map { ($0.name, $0.targets) }) { first, _ in first }
  }
}
