/// Triangles with their normals, as rust_serialization_benchmark defines them.
struct Mesh: Codable, Equatable, Sendable {
  struct Vector: Codable, Equatable, Sendable {
    var x: Float = 0
    var y: Float = 0
    var z: Float = 0
  }

  struct Triangle: Codable, Equatable, Sendable {
    var v0 = Vector()
    var v1 = Vector()
    var v2 = Vector()
    var normal = Vector()
  }

  var triangles: [Triangle] = []
}

extension Mesh {
  /// All numbers in their order.
  var numbers: [Float] {
    triangles.flatMap { triangle in
      [triangle.v0, triangle.v1, triangle.v2, triangle.normal].flatMap { [$0.x, $0.y, $0.z] }
    }
  }

  /// Makes a mesh from such a list.
  init(numbers: [Float]) {
    func vector(_ index: Int) -> Vector {
      Vector(x: numbers[index], y: numbers[index + 1], z: numbers[index + 2])
    }
    triangles = stride(from: 0, to: numbers.count - 11, by: 12).map { first in
      Triangle(
        v0: vector(first), v1: vector(first + 3), v2: vector(first + 6), normal: vector(first + 9))
    }
  }

  /// The expected sum of a lazy reader of all normals.
  var normalSum: Float {
    triangles.reduce(0) { $0 + $1.normal.x + $1.normal.y + $1.normal.z }
  }
}
