internal import ArchiveForgery
internal import KeepsakeArchive
internal import KeepsakeDocuments

/// Reads an archive in the steps of the input.
struct ArchiveWalk {
  let archive: Archive
  let steps: [UInt8]
  private var next = 0

  init(archive: Archive, steps: [UInt8]) {
    self.archive = archive
    self.steps = steps
  }

  private mutating func step() -> Int? {
    guard next < steps.count else { return nil }
    defer { next += 1 }
    return Int(steps[next])
  }

  mutating func run() {
    while let id = step() {
      if id == 255 {
        try? archive.forEachObject { object in
          precondition(object.objectID.rawValue > 0)
          _ = try? object.decode(Int.self, forKey: "number")
        }
        _ = try? archive.conditionalObjects
        continue
      }
      do throws(ArchiveError) {
        let object = try archive.object(ArchiveObjectID(UInt32(id % (archive.objectCount + 2))))
        read(object, depth: 0)
      } catch {
        precondition(!error.description.isEmpty)
      }
    }
  }

  /// Reads a few keys of a scope, and enters another scope.
  private mutating func read(_ object: borrowing ObjectDecoder, depth: Int) {
    let keys = object.keys
    for key in keys { precondition(object.contains(key)) }
    while let choice = step() {
      if choice & 7 == 0 { return }
      if choice & 7 == 1, depth < 4 {
        let names = object.scopeNames + ["never written"]
        read(object.scope(names[choice / 8 % names.count]), depth: depth + 1)
        continue
      }
      let all = keys + ["absent", .template, .bundleVersion, .timestamp, "number"]
      read(all[choice % all.count], of: object, as: step() ?? 0)
    }
  }

  private func read(_ key: ArchiveKey, of object: borrowing ObjectDecoder, as choice: Int) {
    do throws(ArchiveError) {
      switch choice % 34 {
      case 0: try check(Bool.self, key, object)
      case 1: try check(Int8.self, key, object)
      case 2: try check(UInt64.self, key, object)
      case 3: try check(Int128.self, key, object)
      case 4: try check(Float.self, key, object)
      case 5: try check(Double?.self, key, object)
      case 6: try check(String.self, key, object)
      case 7: try check(ArchiveBytes.self, key, object)
      case 8: try check(ArchiveUUID.self, key, object)
      case 9: try check(ArchiveURL?.self, key, object)
      case 10: try check(ArchiveDate.self, key, object)
      case 11: try check(ArchiveReference.self, key, object)
      case 12: try check(ArchiveConditionalReference.self, key, object)
      case 13: try check([Int16].self, key, object)
      case 14: try check([Bool?].self, key, object)
      case 15: try check([String?].self, key, object)
      case 16: try check([[Double]].self, key, object)
      case 17: try check([ArchiveReference].self, key, object)
      case 18: try check(Set<String>.self, key, object)
      case 19: try check(Set<Int>.self, key, object)
      case 20: try check([String: DynamicValue].self, key, object)
      case 21: try check([Int: [String]].self, key, object)
      case 22: try check([ForgedTree].self, key, object)
      case 23: try check([String: ForgedLink].self, key, object)
      case 24: try check([UInt8].self, key, object)
      case 25: try check([Float].self, key, object)
      case 26: try check([[DynamicValue]?].self, key, object)
      case 27: try checkSpan(of: UInt8.self, key, object)
      case 28: try checkSpan(of: Int16.self, key, object)
      case 29: try checkSpan(of: Double.self, key, object)
      case 30: try checkSpan(of: Int64.self, key, object)
      case 31:
        let bytes = try object.bytes(forKey: key)
        var sum = 0
        for index in bytes.indices { sum &+= Int(bytes[index]) }
        precondition(sum >= 0)
      default: _ = try object.dynamicRecord()
      }
    } catch {
      precondition(!error.description.isEmpty)
      // The absent key of a nested record is another one.
      let isOwn = error.keyPath.last == key.description
      precondition(error.code != .absentKey || !isOwn || !object.contains(key))
    }
  }

  /// Checks that reading twice has the same result.
  private func check<Value: ArchiveValue>(
    _ type: Value.Type, _ key: ArchiveKey, _ object: borrowing ObjectDecoder
  ) throws(ArchiveError) {
    let value = try object.decode(type, forKey: key)
    let again = try object.decodeIfPresent(type, forKey: key)
    // Sets are printed in any order. A nil in an optional of an optional is the outer nil.
    let length = again.map { "\($0)".utf8.count }
    precondition(length.map { $0 == "\(value)".utf8.count } ?? ("\(value)" == "nil"))
    precondition(object.contains(key))
  }

  /// Checks that a borrowed span has the same numbers as a copy.
  private func checkSpan<Scalar: ArchiveScalar & Equatable>(
    of type: Scalar.Type, _ key: ArchiveKey, _ object: borrowing ObjectDecoder
  ) throws(ArchiveError) {
    let lent: [Scalar]
    do {
      lent = try object.withSpan(of: type, forKey: key) { span in span.indices.map { span[$0] } }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.invalidValue, "\(error)")
    }
    let copy = try object.decode([Scalar].self, forKey: key)
    precondition(lent.count == copy.count)
    for index in copy.indices {
      precondition(lent[index] == copy[index] || copy[index] != copy[index])
    }
  }
}
