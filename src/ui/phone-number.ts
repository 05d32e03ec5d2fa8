// Formats phone numbers the way people of a locale write them: those of their own country with its trunk prefix, others with
// their calling code. Numbers of unlisted countries are grouped in threes.

/** By calling code: the regions that share it, the prefix within them, and how the digits are grouped. */
const PLANS: Readonly<Record<string, readonly [regions: string, trunk: string, groups: readonly number[]]>> =
  {
    1: ['US CA', '', [3, 3, 4]],
    31: ['NL', '0', [2, 3, 4]],
    33: ['FR', '0', [1, 2, 2, 2, 2]],
    34: ['ES', '', [3, 3, 3]],
    39: ['IT', '', [2, 4, 4]],
    41: ['CH', '0', [2, 3, 2, 2]],
    43: ['AT', '0', [3, 3, 4]],
    44: ['GB', '0', [4, 6]],
    46: ['SE', '0', [2, 3, 2, 2]],
    48: ['PL', '', [3, 3, 3]],
    49: ['DE', '0', [3, 4, 4]],
    52: ['MX', '', [2, 4, 4]],
    55: ['BR', '', [2, 5, 4]],
    81: ['JP', '0', [2, 4, 4]],
    82: ['KR', '0', [2, 4, 4]],
    86: ['CN', '', [3, 4, 4]],
    90: ['TR', '0', [3, 3, 2, 2]],
    91: ['IN', '0', [5, 5]],
    351: ['PT', '', [3, 3, 3]],
    852: ['HK', '', [4, 4]],
    886: ['TW', '0', [3, 3, 3]],
    966: ['SA', '0', [2, 3, 4]],
    972: ['IL', '0', [2, 3, 4]],
  }

/** The characters to dial: digits, `+`, `*` and `#`. */
export const dialled = (number: string): string => number.replace(/[^\d+*#]/g, '').slice(0, 40)

export function phoneText(number: string, locale: string): string {
  const [, digits] = /^\+(\d{6,15})$/.exec(dialled(number)) ?? []
  // A number with spaces, or without its country code, keeps its format.
  if (digits === undefined || !/^\s*\+\d+\s*$/.test(number)) return number
  const code = [3, 2, 1].map((length) => digits.slice(0, length)).find((each) => Object.hasOwn(PLANS, each))
  const plan = PLANS[code ?? '']
  if (code === undefined || !plan) return `+${inThrees(digits)}`
  const [regions, trunk, groups] = plan
  const parts = grouped(digits.slice(code.length), groups)
  const region = new Intl.Locale(locale).maximize().region
  if (region === undefined || !regions.includes(region)) return [`+${code}`, ...parts].join(' ')
  if (code === '1' && parts.length === 3) return `(${parts[0]}) ${parts[1]}-${parts[2]}`
  return trunk + parts.join(' ')
}

/** In the groups of the plan where the number has its length, else in threes. */
function grouped(digits: string, groups: readonly number[]): string[] {
  if (groups.reduce((sum, each) => sum + each, 0) !== digits.length) return [inThrees(digits)]
  return groups.map((length, index) => {
    const at = groups.slice(0, index).reduce((sum, each) => sum + each, 0)
    return digits.slice(at, at + length)
  })
}

const inThrees = (digits: string): string => digits.replace(/\d{3}(?=\d{2})/g, '$& ')
