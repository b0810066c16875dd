import Keepsake

func explain(_ error: any Error) -> String {
  switch error {
  case let error as KeepsakeError
  where error.code == .keyWrong:
    "That is not the passphrase. Try again."
  default: "\(error)"
  }
}
