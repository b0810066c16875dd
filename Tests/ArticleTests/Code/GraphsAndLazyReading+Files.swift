import Keepsake

func saveFamily(
  _ ada: Person, to path: String, key: SealKey
) throws {
  let bytes = try Archive.encode(ada)
  try SealedFile.seal(
    bytes.span, to: path, for: [.key(key)])
}

func loadFamily(
  from path: String, key: SealKey
) throws -> Person {
  try readFamily(
    SealedFile.open(path, with: [.key(key)]).read())
}

func nameOfPartner(
  inFile path: String, key: SealKey
) throws -> String? {
  let archive = try Archive(
    source: SealedFile.open(path, with: [.key(key)]))
  let root = try archive.object(archive.rootID)
  let partner = try root.decode(
    ArchiveReference.self, forKey: "partner")
  guard let id = partner.objectID else { return nil }
  let object = try archive.object(id)
  return try object.decode(String.self, forKey: "name")
}

struct Reading: ArchiveRecord {
  static var archiveTypeName: String { "Reading" }
  var sensor: String
  var samples: [Double]

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(sensor, forKey: "sensor")
    coder.encode(samples, forKey: "samples")
  }

  init(sensor: String, samples: [Double]) {
    self.sensor = sensor
    self.samples = samples
  }

  init(from coder: borrowing ObjectDecoder)
    throws(ArchiveError)
  {
    sensor = try coder.decode(forKey: "sensor")
    samples = try coder.decode(forKey: "samples")
  }
}

func writeReadings(
  _ readings: [Reading], to path: String, key: SealKey
) throws {
  let file = try SealedFileWriter(
    to: path, for: [.key(key)])
  var writer = ArchiveStreamWriter(to: file)
  for reading in readings {
    try writer.writeObject(reading)
  }
  try writer.finish()
  _ = try file.finish()
}

func average(
  ofReading number: UInt32, in path: String, key: SealKey
) throws -> Double {
  let archive = try Archive(
    source: SealedFile.open(path, with: [.key(key)]))
  let reading = try archive.object(ArchiveObjectID(number))
  return try reading.withSpan(
    of: Double.self, forKey: "samples"
  ) { samples in
    var sum = 0.0
    for index in samples.indices { sum += samples[index] }
    return samples.isEmpty ? 0 : sum / Double(samples.count)
  }
}

func sensorNames(
  in path: String, key: SealKey
) throws -> Set<String> {
  let file = try SealedFile.open(path, with: [.key(key)])
  var reader = try ArchiveStreamReader(file.makeReader())
  var names: Set<String> = []
  while let reading = try reader.next(Reading.self) {
    names.insert(reading.sensor)
  }
  return names
}
