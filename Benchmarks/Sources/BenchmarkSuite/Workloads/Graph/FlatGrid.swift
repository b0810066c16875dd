/// The grid for a format without references: a program has to give numbers to nodes and store these.
struct FlatGrid: Codable {
  struct Node: Codable {
    var name: String
    var weight: Double
    var north: Int?
    var east: Int?
    var south: Int?
    var west: Int?
    var style: Int
  }

  var nodes: [Node]
  var styles: [String]

  init(_ grid: Grid) {
    var numbers: [ObjectIdentifier: Int] = [:]
    for (number, node) in grid.nodes.enumerated() { numbers[ObjectIdentifier(node)] = number }
    var styleNumbers: [ObjectIdentifier: Int] = [:]
    var names: [String] = []
    func number(of node: GridNode?) -> Int? { node.flatMap { numbers[ObjectIdentifier($0)] } }
    func number(of style: GridStyle?) -> Int {
      guard let style else { return -1 }
      let known = styleNumbers[ObjectIdentifier(style), default: names.count]
      if known == names.count {
        styleNumbers[ObjectIdentifier(style)] = known
        names.append(style.name)
      }
      return known
    }
    nodes = grid.nodes.map { node in
      Node(
        name: node.name, weight: node.weight, north: number(of: node.north),
        east: number(of: node.east), south: number(of: node.south), west: number(of: node.west),
        style: number(of: node.style))
    }
    styles = names
  }

  /// The grid, rebuilt as objects.
  var grid: Grid {
    let objects = nodes.map { GridNode(name: $0.name, weight: $0.weight) }
    let shared = styles.map { GridStyle(name: $0) }
    func object(_ number: Int?) -> GridNode? {
      number.flatMap { objects.indices.contains($0) ? objects[$0] : nil }
    }
    for (node, made) in zip(nodes, objects) {
      made.north = object(node.north)
      made.east = object(node.east)
      made.south = object(node.south)
      made.west = object(node.west)
      made.style = shared.indices.contains(node.style) ? shared[node.style] : nil
    }
    return Grid(nodes: objects)
  }
}
