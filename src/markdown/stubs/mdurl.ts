// Stands in for `mdurl`, with which the parser encodes addresses: ours encodes none, since Link does it with `URL`.

export const parse = (text: string): string => text
export const format = parse
export const encode = parse
export const decode = parse
