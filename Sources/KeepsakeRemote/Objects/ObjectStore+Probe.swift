#if Remote
  import Keepsake

  /// The behaviour of a store under conditional writes, as a probe has found it.
  public struct ObjectStoreBehaviour: Hashable, Sendable {
    /// True when several writers race to create an object and exactly one succeeds.
    public let createsOnce: Bool
    /// True when several writers race to replace a version and exactly one succeeds.
    public let replacesOnce: Bool

    /// True when two machines can share an object without overwriting each other's changes.
    public var allowsSeveralWriters: Bool { createsOnce && replacesOnce }
  }

  extension ObjectStore {
    private static let writerCount = 8
    private static let roundCount = 3

    /// Finds out whether the store keeps the conditions of writes, also when several writers race.
    ///
    /// A store that ignores a condition reports no error, and one that checks it before it writes lets two writers win.
    /// The probe writes and deletes small objects of its own. A race with one winner is not a proof, but a store
    /// without atomic conditions has several winners in most races. The keys of these objects begin with `prefix`: the
    /// credentials must allow writing there.
    ///
    /// - Throws: ``RemoteError`` when the store cannot be used at all.
    public func probe(prefix: String) async throws(RemoteError) -> ObjectStoreBehaviour {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try probeNow(prefix: prefix, cancellation)
      }
    }

    func probeNow(
      prefix: String, _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectStoreBehaviour {
      var createsOnce = true
      var replacesOnce = true
      for _ in 0..<Self.roundCount where createsOnce || replacesOnce {
        let object = try object(Self.probeKey(prefix))
        defer { try? object.deleteNow() }
        if createsOnce { createsOnce = try winners(.absent, of: object, cancellation) == 1 }
        let version = try object.putNow([0], if: .always, cancellation)
        if replacesOnce {
          replacesOnce = try winners(.version(version), of: object, cancellation) == 1
        }
      }
      return ObjectStoreBehaviour(createsOnce: createsOnce, replacesOnce: replacesOnce)
    }

    private static func probeKey(_ prefix: String) -> String {
      "\(prefix)keepsake-probe-\(UInt64.random(in: 0 ... .max))"
    }

    /// The key up to its last slash.
    private static func folder(of key: String) -> String {
      key.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }
        .joined()
    }

    /// The key of a new object in the folder of another one.
    func probeKey(beside key: String) -> String {
      Self.probeKey(Self.folder(of: key))
    }

    /// Probes the store once, in the folder of an object, and refuses one that does not keep conditions.
    func requireConditions(
      for object: RemoteObject, _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) {
      if findings.keepsConditions { return }
      let behaviour = try probeNow(prefix: Self.folder(of: object.key), cancellation)
      guard behaviour.allowsSeveralWriters else {
        throw RemoteError(
          .conditionsUnsupported,
          "The store does not keep the conditions of writes, so two machines could overwrite each other's changes. "
            + "Nothing was uploaded. If only this machine writes, say so by RemoteStateStore.Writers.one.",
          request: "PUT \(object)")
      }
      findings.noteConditions()
    }

    /// The number of racing writers whose writes succeed.
    ///
    /// Each writer has a thread, and sends its request when all threads have started.
    private func winners(
      _ condition: ObjectCondition, of object: RemoteObject, _ cancellation: Cancellation
    ) throws(RemoteError) -> Int {
      struct Race {
        var readyCount = 0
        var isRunning = false
        var doneCount = 0
        var winnerCount = 0
        var failure: RemoteError?
      }
      let race = Monitor(Race())
      var startedCount = 0
      for number in 1...Self.writerCount {
        let isStarted = WorkerThreads.start {
          race.withLock { $0.readyCount += 1 }
          race.wait { $0.isRunning }
          do throws(RemoteError) {
            _ = try object.putNow([UInt8(number)], if: condition, cancellation)
            race.withLock { $0.winnerCount += 1 }
          } catch {
            if error.code != .changedMeanwhile, error.code != .conditionsUnsupported {
              race.withLock { $0.failure = error }
            }
          }
          race.withLock { $0.doneCount += 1 }
        }
        if isStarted { startedCount += 1 }
      }
      race.wait { $0.readyCount == startedCount }
      race.withLock { $0.isRunning = true }
      race.wait { $0.doneCount == startedCount }
      let (count, failure) = race.withLock { ($0.winnerCount, $0.failure) }
      if let failure { throw failure }
      guard startedCount > 1 else {
        throw RemoteError(
          .conditionsUnsupported,
          "The system gave no threads for a race of writers, so the store could not be probed.",
          request: "PUT \(object)")
      }
      return count
    }
  }
#endif
