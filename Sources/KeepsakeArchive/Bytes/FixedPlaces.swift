// Places that do not move and are not guarded: what a class keeps in a variable of its own costs a check
// against overlapping access at every use, which is more than most uses cost.

/// A value in a place of its own that does not move, changed through a constant.
///
/// For classes that are called once per stored value: a variable of theirs would be guarded against
/// overlapping changes at every call. Whoever changes the value must not reach it again meanwhile.
@safe
struct Cell<Value: ~Copyable>: ~Copyable {
  private let pointer: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    unsafe pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inline(__always)
  var value: Value {
    _read { yield unsafe pointer.pointee }
    nonmutating _modify { yield unsafe &pointer.pointee }
  }
}

/// A number of elements that are shared by reference and stay where they are.
///
/// Reaching one costs a check of its index and nothing else: an array in a property of a class is
/// also guarded against access at the same time, which costs more than the access. Whoever has one
/// uses it from one thread at a time.
@safe
@usableFromInline
package final class FixedStorage<Element> {
  @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

  /// Fills the storage with one element.
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

  /// The number of elements.
  @inlinable package var count: Int { unsafe elements.count }

  /// The element at an index, which is checked.
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
