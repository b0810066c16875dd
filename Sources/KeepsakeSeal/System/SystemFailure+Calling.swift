/// Runs system calls; whoever knows which file they are about adds its path to the error.
func callingSystem<Result>(
  _ body: () throws(SystemFailure) -> Result
) throws(SealError) -> Result {
  do throws(SystemFailure) {
    return try body()
  } catch {
    throw SealError(error, path: nil)
  }
}
