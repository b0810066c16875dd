extension ByteBuffer {
  /// Appends a range of an archive that is read, as it lies there.
  mutating func append(from view: ByteView, _ range: Range<Int>) {
    let source = unsafe view.buffer(range)
    guard let base = source.baseAddress else { return }
    reserve(source.count)
    unsafe pointer.advanced(by: count).copyMemory(from: base, byteCount: source.count)
    count &+= source.count
  }
}
