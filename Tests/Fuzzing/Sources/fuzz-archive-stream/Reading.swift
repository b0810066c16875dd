import KeepsakeArchive
import KeepsakeDocuments

/// The result of one way to read an archive.
struct Reading: Equatable {
  typealias Record = Result<DynamicRecord, ArchiveError>

  var rootID: ArchiveObjectID
  /// As text, since a date that is NaN does not equal itself.
  var reserved: String
  var records: [Record] = []
  var conditionalObjects: Result<[ArchiveObjectID?], ArchiveError>
  /// True when nothing in it is damaged.
  var isSound: Bool

  /// Reads each object by its id.
  init(_ archive: Archive) {
    rootID = archive.rootID
    reserved = "\(archive.reserved)"
    for number in 0..<archive.objectCount {
      do throws(ArchiveError) {
        records.append(Self.record(try archive.object(ArchiveObjectID(UInt32(number + 1)))))
      } catch {
        records.append(.failure(error))
      }
    }
    do throws(ArchiveError) {
      conditionalObjects = .success(try archive.conditionalObjects)
    } catch {
      conditionalObjects = .failure(error)
    }
    isSound = (try? archive.verdict()) != nil
  }

  /// Makes the result of a stream that was read to its end.
  init(_ records: [Record], _ rootID: ArchiveObjectID, _ reader: borrowing ArchiveStreamReader) {
    self.rootID = rootID
    reserved = "\(reader.reserved)"
    self.records = records
    conditionalObjects = .success(reader.conditionalObjects)
    isSound = true
  }

  /// The content of an object; an unreadable value does not affect other objects.
  static func record(_ object: borrowing ObjectDecoder) -> Record {
    do throws(ArchiveError) {
      return .success(try object.dynamicRecord())
    } catch {
      precondition(!error.description.isEmpty)
      return .failure(error)
    }
  }

  /// Reads the objects in order, up to one that cannot be opened.
  static func inOrder(_ archive: Archive) -> [Record] {
    var records: [Record] = []
    do {
      try archive.forEachObject { object in
        precondition(Int(object.objectID.rawValue) == records.count + 1)
        records.append(record(object))
      }
    } catch let error as ArchiveError {
      records.append(.failure(error))
    } catch {
      preconditionFailure("\(error)")
    }
    return records
  }
}

/// A stream that was read as far as it could be.
struct ForwardReading {
  private(set) var records: [Reading.Record] = []
  private(set) var reading: Reading?
  private(set) var error: (any Error)?

  init(_ stream: HostileStream) {
    do {
      var reader = try ArchiveStreamReader(stream)
      do {
        while let record = try reader.withNextObject({ object in
          precondition(Int(object.objectID.rawValue) == records.count + 1)
          return Reading.record(object)
        }) {
          records.append(record)
        }
        guard let rootID = reader.rootID else { preconditionFailure("an end without a root") }
        reading = Reading(records, rootID, reader)
        // A further call finds the end again.
        guard try reader.withNextObject({ _ in }) == nil else { preconditionFailure("more") }
      } catch {
        self.error = error
        expectAgain(error, &reader)
      }
    } catch {
      self.error = error
    }
    if let error { precondition(error is SourceFailure || error is ArchiveError, "\(error)") }
  }

  /// Checks that, once a call has thrown an error of the stream, all later calls throw it too.
  private func expectAgain(_ first: any Error, _ reader: inout ArchiveStreamReader) {
    do {
      _ = try reader.withNextObject { _ in preconditionFailure("an object after an error") }
      preconditionFailure("no error after an error")
    } catch {
      precondition("\(error)" == "\(first)")
    }
  }
}
