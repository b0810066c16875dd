import KeepsakeSeal

extension DurableFile {
  /// A path beside a file that is not taken, to set the file aside under.
  static func freePath(beside path: String, _ reason: String) throws(SealError) -> String {
    var number = 1
    while true {
      let candidate = "\(path).\(reason)-\(number)"
      if try DurableFile.kind(of: candidate) == .absent { return candidate }
      number += 1
    }
  }
}
