import Foundation

/// The processes of a group.
enum ProcessGroup {
  /// True when a thread of the group works, or waits for a processor or a disk; always true without `/proc`.
  static func isAwake(_ group: pid_t) -> Bool {
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: "/proc") else { return true }
    for name in names where name.first?.isNumber == true {
      guard let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        fields(ofStatus: status)?.group == group,
        let threads = try? files.contentsOfDirectory(atPath: "/proc/\(name)/task")
      else { continue }
      for thread in threads {
        let path = "/proc/\(name)/task/\(thread)/stat"
        if let status = try? String(contentsOfFile: path, encoding: .utf8),
          let state = fields(ofStatus: status)?.state, ["R", "D"].contains(state)
        {
          return true
        }
      }
    }
    return false
  }

  /// Ends every process that was started with a variable of this value, also one that has left its group, such as a
  /// server of terminals.
  static func endAll(with variable: String, of value: String) {
    let mark = Data("\(variable)=\(value)\0".utf8)
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = pid_t(name), process != getpid(),
        let environment = files.contents(atPath: "/proc/\(name)/environ"),
        environment.range(of: mark) != nil
      else { continue }
      kill(process, SIGKILL)
    }
  }

  /// The state and the process group in the text of `/proc/PID/stat`.
  static func fields(ofStatus text: String) -> (state: Substring, group: pid_t)? {
    // A program's name may have spaces and parentheses; only the state and numbers follow the last parenthesis.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 2, let group = pid_t(fields[2]) else { return nil }
    return (fields[0], group)
  }
}
