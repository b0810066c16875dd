import KeepsakeArchive

extension Mesh.Vector: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
    coder.encode(z, forKey: "z")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let x = try coder.decode(Float.self, forKey: "x")
    let y = try coder.decode(Float.self, forKey: "y")
    let z = try coder.decode(Float.self, forKey: "z")
    self.init(x: x, y: y, z: z)
  }
}

extension Mesh.Triangle: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(v0, forKey: "v0")
    coder.encode(v1, forKey: "v1")
    coder.encode(v2, forKey: "v2")
    coder.encode(normal, forKey: "normal")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let v0 = try coder.decode(Mesh.Vector.self, forKey: "v0")
    let v1 = try coder.decode(Mesh.Vector.self, forKey: "v1")
    let v2 = try coder.decode(Mesh.Vector.self, forKey: "v2")
    let normal = try coder.decode(Mesh.Vector.self, forKey: "normal")
    self.init(v0: v0, v1: v1, v2: v2, normal: normal)
  }
}

extension Mesh {
  /// An archive with one object for each triangle.
  func archive() throws -> [UInt8] {
    try Records.archive(triangles, typeName: "Triangle")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(triangles: try Records.unarchive(bytes))
  }

  /// Opens an archive and reads only the normal of each triangle.
  static func sumNormalsLazily(_ bytes: [UInt8]) throws -> Float {
    var sum: Float = 0
    try Archive(bytes).forEachObject { triangle in
      let normal = try triangle.decode(Vector.self, forKey: "normal")
      sum = sum + normal.x + normal.y + normal.z
    }
    return sum
  }
}
