// Stands in for `uc.micro` in the browser, whose tables every browser has in its regular expressions.

export const P = /\p{P}/u
export const S = /\p{S}/u
