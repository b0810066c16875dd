import Foundation

/// Runs a body on a thread with a stack of some bytes, and waits for it.
package func onStack(
  of byteCount: Int = 512 << 10, _ body: @escaping @Sendable () throws -> Void
) async throws {
  try await withCheckedThrowingContinuation {
    (continuation: CheckedContinuation<Void, any Error>) in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    thread.stackSize = byteCount
    thread.start()
  }
}
