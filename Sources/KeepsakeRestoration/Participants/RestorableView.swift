/// A view with state of its own, such as a scroll position.
///
/// A view is saved when it has an identifier and belongs to a node that is saved; at restore it is
/// found among the ``RestorableNode/restorationViews`` of its restored node, and never created.
@MainActor
public protocol RestorableView: RestorableObject {}
