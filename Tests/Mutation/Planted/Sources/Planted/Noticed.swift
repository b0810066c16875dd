// The tests notice every mutant of these functions.

package struct Refusal: Error, Equatable {}

package func bound(_ number: Int) -> Bool { number < 10 }

package func check(_ number: Int) throws(Refusal) -> Int {
  guard number != 0 else { throw Refusal() }
  return number
}

package func condition(_ isLoud: Bool) -> String {
  var words = "quiet"
  if isLoud { words = "loud" }
  return words
}

package func operation(_ a: Int, _ b: Int) -> Int { a + b }

package func statement(_ list: inout [Int]) { list.append(7) }

package func thrower(_ number: Int) throws(Refusal) {
  _ = try check(number)
}

package func order(_ list: inout [Int]) {
  list.append(1)
  list.append(2)
}

package func difference(_ a: Int, _ b: Int) -> Int { a - b }

package func arguments(_ a: Int, _ b: Int) -> Int { difference(a, b) }

package func fallback(_ number: Int?) -> Int { number ?? 5 }

package func given(_ number: Int = 3) -> Int { number }

package func flags(_ mode: UInt16) -> UInt16 { 0o600 | mode }

package func loop(_ numbers: [Int]) -> Int {
  var count = 0
  for number in numbers {
    if number > 100 { break }
    count += 1
  }
  return count
}

package func member(_ numbers: [Int]) -> Int? { numbers.first }

package final class Thing {
  package init() {}
}

package func identity(_ a: Thing, _ b: Thing) -> Bool { a === b }

package func less(_ number: Int, by difference: Int = 2) -> Int { number - difference }

package func passing(_ number: Int) -> Int { less(10, by: number) }

package func whole(_ name: String) -> Bool { name == "keep" }

/// The function is inlined into other modules.
@inlinable public func inlined(_ number: Int) -> Bool { number == 4 }

/// The function does not compile without its statement; a mutant that returns early is suspected of the same error.
package func settled() -> Int {
  let number: Int
  number = 4
  return number
}
