/// Says of a type that any bytes of its width are a value of it.
///
/// Only the types of KeepsakeArchive have one.
public struct ArchiveScalarWitness<Scalar>: Sendable {
  init() {}
}
