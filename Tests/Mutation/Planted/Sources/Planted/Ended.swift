// The tests notice some mutants of these functions only because the mutants never end, or crash.

package func sum(upTo last: Int) -> Int {
  var (sum, next) = (0, 1)
  while next <= last {
    sum += next
    next += 1
  }
  return sum
}

package func total(_ numbers: [Int]) -> Int {
  var total = 0
  for index in 0..<numbers.count { total += numbers[index] }
  return total
}
