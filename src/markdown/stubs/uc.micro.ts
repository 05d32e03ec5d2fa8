// Stands in for `uc.micro`. Which signs are punctuation decides where emphasis ends, so it may not depend on the version of Unicode
// that an engine has: these blocks are full, and what is outside them counts as a letter.

export const P = /(?=[\0-\xff\u2010-\u205e\u2190-\u22ff\u3000-\u303f\uff00-\uff65])[\p{P}\p{S}]/u
export const S = P
