import KeepsakeSeal

// Values that are stored elsewhere than in a file.
extension SealedValueKey {
  /// Seals the archive of a value, padded, as a whole sealed file.
  ///
  /// It is new when no value is stored yet, so that a key store may make its key.
  package func seal(_ archive: [UInt8], isNew: Bool) throws(KeepsakeError) -> [UInt8] {
    let recipients = try KeepsakeError.preparing { () throws(KeepsakeError) in
      try self.recipients(isNew: isNew)
    }
    do throws(SealError) {
      let context = purpose.context
      return try SealedFile.seal(
        archive.span, for: recipients,
        options: SealOptions(context: context, publicMetadata: context, padding: .padme))
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Opens the sealed file of a value, and returns its archive; `place` names the file in errors.
  package func open(_ bytes: [UInt8], at place: String) throws(KeepsakeError) -> [UInt8] {
    let identities = try self.identities()
    do throws(SealError) {
      return try SealedFile.open(bytes: bytes, with: identities, context: purpose.context).read()
    } catch {
      let code: KeepsakeError.Code =
        error.code == .contextMismatch ? .wrongPurpose : KeepsakeError(opening: error).code
      throw KeepsakeError(
        code, "The value at \(place) was not read and is unchanged: \(error.description)",
        at: place, underlyingError: error)
    }
  }
}
