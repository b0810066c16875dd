// Tests run these functions and notice none of their mutants.

/// The function is never tested at its limit.
package func unnoticedBound(_ number: Int) -> Bool { number < 10 }

/// The function is tested only with numbers that pass.
package func unnoticedCheck(_ number: Int) throws(Refusal) -> Int {
  guard number >= 0 else { throw Refusal() }
  return number
}

/// The capacity is a hint: the list says so.
package func reserved() -> [Int] {
  var list: [Int] = []
  list.reserveCapacity(4)
  return list
}

/// No test calls it.
package func neverRun(_ number: Int) -> Bool { number == 3 }

/// Only the tests of the module above check the result.
package func seenFromAbove(_ number: Int) -> Bool { number > 20 }

package struct Handle: ~Copyable {
  private let number: Int

  package init(_ number: Int) { self.number = number }

  package consuming func close() -> Int {
    let number = number
    discardHandle(self)
    return number
  }
}

func discardHandle(_ handle: consuming Handle) {}
