extension Mesh.Vector {
  var message: PBVector3 {
    var message = PBVector3()
    message.x = x
    message.y = y
    message.z = z
    return message
  }

  init(_ message: PBVector3) {
    self.init(x: message.x, y: message.y, z: message.z)
  }
}

extension Mesh: MessageConvertible {
  var message: PBMesh {
    var message = PBMesh()
    message.triangles = triangles.map { triangle in
      var part = PBTriangle()
      part.v0 = triangle.v0.message
      part.v1 = triangle.v1.message
      part.v2 = triangle.v2.message
      part.normal = triangle.normal.message
      return part
    }
    return message
  }

  init(_ message: PBMesh) {
    self.init(
      triangles: message.triangles.map { part in
        Triangle(
          v0: Vector(part.v0), v1: Vector(part.v1), v2: Vector(part.v2),
          normal: Vector(part.normal))
      })
  }
}
