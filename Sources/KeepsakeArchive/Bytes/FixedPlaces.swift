// Values and elements that do not move and are not guarded: for a class's own variable, a check against overlapping
// access runs at every use, which costs more than most uses.

/// A value that does not move, and can be changed through a constant.
///
/// It is for classes that are called once per stored value, whose own variables would be guarded against overlapping
/// changes at every call. Code that changes the value must not access it again meanwhile.
@safe
@usableFromInline
struct Cell<Value: ~Copyable>: ~Copyable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    unsafe pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  @inlinable
  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inlinable
  @inline(__always)
  var value: Value {
    _read { yield unsafe pointer.pointee }
    nonmutating _modify { yield unsafe &pointer.pointee }
  }
}

/// Elements that are shared by reference and do not move.
///
/// Access to an element costs only a check of its index: an array in a property of a class is also guarded against
/// access at the same time, which costs more than the access. The storage must be used by one thread at a time.
@safe
@usableFromInline
package final class FixedStorage<Element> {
  @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

  @inlinable
  package init(repeating element: Element, count: Int) {
    unsafe elements = .allocate(capacity: count)
    unsafe elements.initialize(repeating: element)
  }

  @inlinable
  deinit {
    unsafe elements.deinitialize()
    unsafe elements.deallocate()
  }

  @inlinable package var count: Int { unsafe elements.count }

  /// The element at an index, which is checked against the count.
  @inlinable
  package subscript(index: Int) -> Element {
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
