import KeepsakeArchive
import KeepsakeMigration

extension RestorationCoordinator {
  /// Reads the saved archive and decides whether it may be restored.
  ///
  /// No code of the application runs, and no object is decoded. When the archive may be restored, the store is
  /// marked; if this launch dies before the restore is finished, the next one does not try again. A further call does
  /// nothing, except that it tries again when the key or the store was unavailable.
  ///
  /// - Returns: The reason why nothing will be restored, or `nil`.
  @discardableResult
  public func prepare() async -> RestoreReport.Refusal? {
    switch phase {
    case .unprepared, .refused(.keyUnavailable), .refused(.storeUnavailable):
      if waitingForPreparation == nil {
        waitingForPreparation = []
        phase = await preparedPhase()
        let waiting = waitingForPreparation ?? []
        waitingForPreparation = nil
        for other in waiting { other.resume() }
      } else {
        await withCheckedContinuation { waitingForPreparation?.append($0) }
      }
    case .refused, .ready, .nothingSaved, .restoring, .finished: break
    }
    if case .refused(let refusal) = phase { return refusal }
    return nil
  }

  private func preparedPhase() async -> Phase {
    do {
      switch try await store.load() {
      case .absent:
        return .nothingSaved
      case .archive(_, let failures) where failures >= max(1, configuration.failedLaunchLimit):
        let asidePath = try await store.setAside()
        let launches = failures == 1 ? "The last launch" : "The last \(failures) launches"
        return .refused(
          .interrupted(
            "\(launches) ended while restoring the saved state or before it was shown, so it was not restored again; "
              + "it was moved to \(asidePath), where it can be inspected."))
      case .archive(let bytes, let failures):
        let (archive, report) = try accepted(Archive(bytes))
        let index = try StateIndex(of: archive)
        try store.beginRestoration(attempt: failures + 1)
        isMarked = true
        ignoresSnapshot = index.ignoresSnapshot
        migrationReport = report
        return .ready(archive, index)
      }
    } catch let error as MigrationError where error.code == .unusableArchive {
      return .refused(.damaged(error.description))
    } catch let error as MigrationError {
      return .refused(.version(error))
    } catch let error as ArchiveError {
      return .refused(.damaged("The saved state is damaged and was not restored: \(error)"))
    } catch {
      return .refused(Self.refusal(for: error))
    }
  }

  /// The archive, migrated when there is a plan; throws when its version is refused.
  private func accepted(_ archive: Archive) throws -> (Archive, MigrationReport?) {
    guard let migration = configuration.migration else {
      try configuration.gate.check(archive.reserved)
      return (archive, nil)
    }
    let migrated = try migration.migrate(archive)
    guard let bytes = migrated.bytes else { return (archive, nil) }
    return (try Archive(bytes), migrated.report)
  }

  private static func refusal(for error: any Error) -> RestoreReport.Refusal {
    guard let error = error as? RestorationError else { return .storeUnavailable("\(error)") }
    return switch error.code {
    case .damaged: .damaged(error.message)
    case .keyUnavailable: .keyUnavailable(error.message)
    default: .storeUnavailable(error.message)
    }
  }
}
