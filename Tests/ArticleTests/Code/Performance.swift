import Keepsake

/// A sample of a sensor: a record, for speed.
struct Sample: ArchiveRecord, Equatable {
  var time: Double
  var value: Float

  init(time: Double, value: Float) {
    self.time = time
    self.value = value
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(time, forKey: "time")
    coder.encode(value, forKey: "value")
  }

  init(from coder: borrowing ObjectDecoder)
    throws(ArchiveError)
  {
    time = try coder.decode(forKey: "time")
    value = try coder.decode(forKey: "value")
  }
}

/// One object for each value.
func archiveSamples(_ samples: [Sample]) throws -> [UInt8] {
  var writer = ArchiveWriter()
  try writer.writeObjects(samples, typeName: "Sample")
  return try writer.finish(root: ArchiveObjectID(1))
}

/// Reads one key of each object, and makes no object.
func largestValue(in archive: Archive) throws -> Float {
  var largest = -Float.infinity
  try archive.forEachObject { sample in
    largest = max(
      largest,
      try sample.decode(Float.self, forKey: "value"))
  }
  return largest
}

/// The same numbers as two arrays in one object.
func archiveColumns(_ samples: [Sample]) throws -> [UInt8] {
  var writer = ArchiveWriter()
  try writer.writeObject(
    ArchiveObjectID(1), typeName: "Samples"
  ) { coder in
    coder.encode(samples.map(\.time), forKey: "times")
    coder.encode(samples.map(\.value), forKey: "values")
  }
  return try writer.finish(root: ArchiveObjectID(1))
}
