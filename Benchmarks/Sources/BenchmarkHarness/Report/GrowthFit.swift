import Foundation

/// The growth of the time of one operation with the size of its data.
package struct GrowthFit: Equatable, Sendable {
  package var name: String
  package var points: [Point]
  /// The slope of the line through the logarithms of the largest sizes: 1 is proportional, 2 quadratic, 0
  /// constant.
  package var exponent: Double

  package struct Point: Equatable, Sendable {
    package var size: Int
    package var nanoseconds: Double
  }

  /// The fits of all operations that were measured at three sizes or more, without the limits.
  package static func fits(through rows: [ResultRow]) -> [GrowthFit] {
    var names: [String] = []
    var points: [String: [Point]] = [:]
    for row in rows {
      guard !row.identity.subject.isLimit, let size = row.identity.size, size > 0,
        let time = row.medianNanoseconds, time > 0
      else { continue }
      let name = row.identity.growthName
      if points[name] == nil { names.append(name) }
      points[name, default: []].append(Point(size: size, nanoseconds: time))
    }
    return names.compactMap { name in
      let sorted = (points[name] ?? []).sorted { $0.size < $1.size }
      guard Set(sorted.map(\.size)).count >= 3, let exponent = slope(largest(of: sorted)) else {
        return nil
      }
      return GrowthFit(name: name, points: sorted, exponent: exponent)
    }
  }

  /// The points of the last two powers of ten, or the last three points.
  ///
  /// At smaller sizes the fixed cost of a call dominates, which says nothing about growth.
  private static func largest(of points: [Point]) -> ArraySlice<Point> {
    let largest = points.last?.size ?? 0
    let first = points.firstIndex { $0.size >= largest / 100 } ?? 0
    return points[min(first, max(points.count - 3, 0))...]
  }

  /// The least-squares slope of time over size, both as logarithms.
  private static func slope(_ points: ArraySlice<Point>) -> Double? {
    let count = Double(points.count)
    let x = points.map { log(Double($0.size)) }
    let y = points.map { log($0.nanoseconds) }
    let meanX = x.reduce(0, +) / count
    let meanY = y.reduce(0, +) / count
    let variance = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    guard variance > 0 else { return nil }
    return zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / variance
  }
}

extension GrowthFit: CustomStringConvertible {
  package var description: String {
    let times = points.map { "\(Figures.grouped($0.size)): \(Figures.time($0.nanoseconds))" }
    return "\(name): size^\(Figures.significant(exponent))  (\(times.joined(separator: ", ")))"
  }
}
