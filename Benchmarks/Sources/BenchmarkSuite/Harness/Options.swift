/// What the command line asks for.
struct Options {
  static let usage = """
    usage: bench [--list] [--filter TEXT] [--rounds COUNT] [--json FILE]
      --list          print the names of the benchmarks and stop
      --filter TEXT   run only benchmarks whose name contains TEXT
      --rounds COUNT  sample each benchmark COUNT times (default 15)
      --json FILE     write the figures to FILE as well
    """

  var lists = false
  var filter = ""
  var rounds = 15
  var jsonPath: String?

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--list": lists = true
      case "--filter": filter = try Self.value(of: option, from: &rest)
      case "--json": jsonPath = try Self.value(of: option, from: &rest)
      case "--rounds":
        guard let count = Int(try Self.value(of: option, from: &rest)), count > 0 else {
          throw Failure(description: "--rounds needs a positive number.\n\(Self.usage)")
        }
        rounds = count
      default: throw Failure(description: "There is no option \(option).\n\(Self.usage)")
      }
    }
  }

  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = rest.popFirst() else {
      throw Failure(description: "\(option) needs a value.\n\(usage)")
    }
    return value
  }
}
