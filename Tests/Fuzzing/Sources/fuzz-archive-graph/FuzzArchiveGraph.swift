internal import ArchiveForgery
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeDocuments

/// Reads a whole graph as the objects of a recursive model, and writes it again.
@main struct FuzzArchiveGraph {
  static func main() throws {
    var registry = TypeRegistry()
    try registry.register(ForgedNode.self)
    let types = registry
    let target = FuzzTarget(
      seeds: {
        let graphs = [ForgedNode.graph(), ForgedNode(1)]
        defer { for graph in graphs { ForgedNode.release(graph) } }
        return try graphs.map { try Archive.encode($0) } + ArchiveSeeds.archives()
      },
      repair: ArchiveForger.repaired,
      body: { input in
        guard let archive = try? Archive(input) else { return }
        defer { ForgedNode.releaseAll() }
        let root: ForgedNode
        do {
          root = try archive.decodeRoot(ForgedNode.self, registry: types)
        } catch {
          precondition(error is ArchiveError, "\(error)")
          return
        }
        let nodes = reachable(from: root)
        precondition(nodes.count <= archive.objectCount)
        copy(root, types, count: nodes.count)
      })
    try target.run()
  }

  /// Checks that the graph can be written, and read as the same number of objects.
  private static func copy(_ root: ForgedNode, _ types: TypeRegistry, count: Int) {
    do {
      let bytes = try Archive.encode(root)
      let archive = try Archive(bytes)
      if case .notCanonical(let error) = try archive.verdict() { throw error }
      precondition(archive.objectCount == count)
      let again = try archive.decodeRoot(ForgedNode.self, registry: types)
      precondition(reachable(from: again).count == count)
      let third = try Archive.encode(again)
      // An object loses an owner that was not stored.
      let hasLost = try archive.conditionalObjects.contains(nil)
      precondition(hasLost || third == bytes)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func reachable(from root: ForgedNode) -> Set<ObjectIdentifier> {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var waiting = [root]
    while let node = waiting.popLast() {
      let links = node.links.values.flatMap(\.nodes)
      for other in node.others + links + (node.next.map { [$0] } ?? [])
      where seen.insert(ObjectIdentifier(other)).inserted {
        waiting.append(other)
      }
    }
    return seen
  }
}
