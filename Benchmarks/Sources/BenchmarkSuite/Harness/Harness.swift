/// Times the contenders of one task in turns, so that a slow moment of the machine meets them all.
struct Harness {
  /// How often each contender is sampled.
  var rounds: Int

  /// A batch is made as long as this, so that reading the clock costs nothing beside it.
  var sampleTime: Duration = .milliseconds(20)

  func measure(_ contenders: [Benchmark]) throws -> [Measurement] {
    var measurements = try contenders.map {
      Measurement(benchmark: $0, iterationsPerSample: try iterations(for: $0))
    }
    for _ in 0..<rounds {
      for index in measurements.indices {
        let count = measurements[index].iterationsPerSample
        let time = try time(measurements[index].benchmark, iterations: count)
        measurements[index].samples.append(time / Double(count))
      }
    }
    return measurements
  }

  /// Doubles the batch until it is long enough; this warms up too.
  private func iterations(for benchmark: Benchmark) throws -> Int {
    let enough = nanoseconds(sampleTime)
    var count = 1
    while count < 1 << 30 {
      let time = try time(benchmark, iterations: count)
      if time >= enough { return count }
      count *= 2
    }
    return count
  }

  private func time(_ benchmark: Benchmark, iterations: Int) throws -> Double {
    let clock = ContinuousClock()
    let begin = clock.now
    try benchmark.body(iterations)
    return nanoseconds(begin.duration(to: clock.now))
  }

  private func nanoseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
  }
}
