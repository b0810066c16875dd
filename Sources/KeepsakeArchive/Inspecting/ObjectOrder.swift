/// The order in which the objects of a document are written, and so their new numbers.
public enum ObjectOrder: Hashable, Sendable {
  /// The root first, then each object as it is first referred to, going through the objects in the
  /// order of their numbers and their values as they are stored; then those that the root does not lead
  /// to, in their own order with what they lead to.
  ///
  /// What is written depends on nothing but what the document holds.
  case firstReference
  /// As ``firstReference``, but what the root does not lead to is left out.
  case reachable
  /// As they are in the archive; an inserted object comes directly behind the first changed object
  /// that refers to it, or at the end when none does.
  ///
  /// Objects that were not changed stay where they were, for archives whose reader goes by their
  /// order.
  case stored
}
