import KeepsakeArchive

@Archivable(typeName: "Walk", schemaVersion: 2)
struct Walk: Equatable {
  var places: [String]
  @Key("kilometers", aliases: ["km"]) var distance: Double
  @Default(Season.summer) var season: Season
  @Ignored var isSelected = false
}

@Archivable
enum Season: String { case spring, summer, autumn, winter }

@Archivable
final class Stop {
  let name: String
  @ObjectReference var next: Stop?
  @ObjectReference var branches: [Stop] = []

  init(name: String) { self.name = name }
}
