/// A number of elements that are shared by reference and stay where they are.
///
/// Reaching one costs a check of its index and nothing else: an array in a property of a class is
/// also guarded against access at the same time, which costs more than the access. Whoever has one
/// uses it from one thread at a time.
@safe
final class FixedStorage<Element> {
  private let elements: UnsafeMutableBufferPointer<Element>

  init(repeating element: Element, count: Int) {
    unsafe elements = .allocate(capacity: count)
    unsafe elements.initialize(repeating: element)
  }

  deinit {
    unsafe elements.deinitialize()
    unsafe elements.deallocate()
  }

  subscript(index: Int) -> Element {
    get {
      unsafe precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
      return unsafe elements[index]
    }
    set {
      unsafe precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
      unsafe elements[index] = newValue
    }
  }
}
