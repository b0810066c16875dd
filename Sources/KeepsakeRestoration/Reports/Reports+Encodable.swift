extension RestorationDiagnostic: Encodable {
  private enum CodingKeys: CodingKey { case code, path, message }

  /// Writes code, path and message.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code.rawValue, forKey: .code)
    try container.encode(path, forKey: .path)
    try container.encode(message, forKey: .message)
  }
}

extension ReportedObject: Encodable {
  private enum CodingKeys: CodingKey {
    case path, typeName, kind, disposition, source, byteCount
  }

  /// Writes the public properties of the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(typeName, forKey: .typeName)
    try container.encode(kind.rawValue, forKey: .kind)
    try container.encode(disposition.rawValue, forKey: .disposition)
    try container.encode(source?.rawValue, forKey: .source)
    try container.encode(byteCount, forKey: .byteCount)
  }
}

extension SaveReport: Encodable {
  private enum CodingKeys: CodingKey {
    case outcome, objects, diagnostics, archiveByteCount, ignoresSnapshot, seconds
  }

  /// Writes the report; the duration in seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(outcome == .saved ? "saved" : "declined", forKey: .outcome)
    try container.encode(objects, forKey: .objects)
    try container.encode(diagnostics, forKey: .diagnostics)
    try container.encode(archiveByteCount, forKey: .archiveByteCount)
    try container.encode(ignoresSnapshot, forKey: .ignoresSnapshot)
    try container.encode(duration / .seconds(1), forKey: .seconds)
  }
}

extension RestoreReport: Encodable {
  private enum CodingKeys: CodingKey { case outcome, refusal, objects, diagnostics, seconds }

  /// Writes the report; a refusal as its sentence, the duration in seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch outcome {
    case .restored: try container.encode("restored", forKey: .outcome)
    case .nothingSaved: try container.encode("nothingSaved", forKey: .outcome)
    case .refused(let refusal):
      try container.encode("refused", forKey: .outcome)
      try container.encode(refusal.description, forKey: .refusal)
    }
    try container.encode(objects, forKey: .objects)
    try container.encode(diagnostics, forKey: .diagnostics)
    try container.encode(duration / .seconds(1), forKey: .seconds)
  }
}
