/// What all decoders of one call share.
struct DecodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
}
