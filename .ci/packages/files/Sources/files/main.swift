import KeepsakeFiles

let path = CommandLine.arguments[1]
let lock = try FileLock(at: path + ".lock")
try DurableFile.replace(at: path, with: Array("Replaced without libsodium.".utf8).span)
print(String(decoding: try DurableFile.read(at: path, upTo: 100), as: UTF8.self))
withExtendedLifetime(lock) {}
