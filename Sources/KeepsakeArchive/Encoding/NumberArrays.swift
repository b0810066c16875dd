/// The offsets of the arrays of numbers in the open object, in their order.
///
/// An array is aligned when it is written (Spec/archive.md, 5.5). A record whose slots or ends take more or less room
/// than was kept for them moves its payloads, and the arrays in them. When the object is complete, the arrays that were
/// moved are realigned, which changes no other byte.
struct NumberArrays: ~Copyable {
  /// The offset of an array, and the number of bytes of its numbers.
  private struct Place {
    var offset: Int
    var byteCount: Int
  }

  private var places: [Place] = []
  /// The arrays whose bytes are being rewritten, of one rearrangement after another.
  private var taken: [Place] = []
  /// True when an array was moved to where it is not aligned.
  private var isMisaligned = false

  var isEmpty: Bool { places.isEmpty }

  mutating func clear() {
    isMisaligned = false
    if !places.isEmpty { places.removeAll(keepingCapacity: true) }
  }

  /// Remembers an array of aligned numbers, which starts after all others.
  mutating func append(_ offset: Int, byteCount: Int) {
    places.append(Place(offset: offset, byteCount: byteCount))
  }

  /// Notes that everything from an offset on was moved.
  mutating func move(from offset: Int, by distance: Int) {
    var index = places.count
    while index > 0, places[index - 1].offset >= offset {
      index -= 1
      places[index].offset += distance
      if distance & 7 != 0 { isMisaligned = true }
    }
  }

  /// Forgets the arrays from an offset on, whose bytes were taken back.
  mutating func drop(from offset: Int) {
    while let last = places.last, last.offset >= offset { places.removeLast() }
  }

  /// Takes out the arrays from an offset on, for ``put(_:in:at:)`` and ``end(_:)``: their bytes will be rewritten.
  mutating func take(from offset: Int) -> Range<Int> {
    var first = places.count
    while first > 0, places[first - 1].offset >= offset { first -= 1 }
    let start = taken.count
    if first < places.count {
      taken += places[first...]
      places.removeLast(places.count - first)
    }
    return start..<taken.count
  }

  /// Puts back the arrays in a piece, which is rewritten after all others.
  mutating func put(_ rearranged: Range<Int>, in piece: Range<Int>, at target: Int) {
    if rearranged.isEmpty { return }
    var low = rearranged.lowerBound
    var high = rearranged.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if taken[middle].offset < piece.lowerBound { low = middle + 1 } else { high = middle }
    }
    let distance = target - piece.lowerBound
    while low < rearranged.upperBound, taken[low].offset < piece.upperBound {
      places.append(
        Place(offset: taken[low].offset + distance, byteCount: taken[low].byteCount))
      if distance & 7 != 0 { isMisaligned = true }
      low += 1
    }
  }

  /// Forgets the arrays that were taken and not put back.
  mutating func end(_ rearranged: Range<Int>) {
    if !rearranged.isEmpty { taken.removeLast(taken.count - rearranged.lowerBound) }
  }

  /// Aligns all arrays of an object that is complete.
  borrowing func align(in bytes: inout ByteBuffer) {
    if !isMisaligned { return }
    for place in places { bytes.align(arrayAt: place.offset, byteCount: place.byteCount) }
  }
}
