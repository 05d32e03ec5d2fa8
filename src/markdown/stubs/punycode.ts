// Stands in for `punycode.js`, which the parser needs to encode addresses: ours encodes none, since Link does it with `URL`.

export default {}
