// Formats phone numbers the way people of a locale write them: those of their own country with its trunk prefix, others with
// their calling code. Where nobody here knows how a number is grouped, it stands with its calling code, in threes.

/**
 * By calling code: the regions that share it, the prefix within them, and how digits that begin so are grouped, the first that fits. A group is
 * a number of digits, or `*` for two or more.
 */
const PLANS: Readonly<Record<string, readonly [regions: string, trunk: string, groups: string]>> = {
  1: ['US CA', '', ':334'],
  31: ['NL', '0', '66:27 6:18 1[035]|2[0346]|3[03568]|4[0356]|5[0358]|7|8[4578]|91:234 800|90:3* [1-57]:333'],
  33: ['FR', '0', ':12222'],
  34: ['ES', '', ':333'],
  39: ['IT', '', '0[26]:244 0[26]:234 0[26]:2* 0.[0159]:334 0.[0159]:344 0.[0159]:3* 0:4* [38]:334 8:333'],
  41: ['CH', '0', '8(0|4)|90:333 :2322'],
  43: ['AT', '0', '1:1* 6[5-9]:3*'],
  44: ['GB', '0', '7624:46 2|5[56]|7[06]:244 11|1.1|[389]:334 800:3* [17]:46'],
  46: ['SE', '0', '8:1322 8:1332 7[02369]|1[013689]|2[136]|3[136]|4[0246]|54|6[03]|90:2322'],
  48: ['PL', '', '45|5[0137]|6[069]|7[2389]|8[08]:333 :2322'],
  49: [
    'DE',
    '0',
    // Areas of two, three and five digits; all others have four.
    '3[02]|40|[68]9:2* 1[67]|800|2(0[1-389]|1[124]|2[18]|3[14])|906|(2[4-9]|4[2-9]|[579][1-9]|[68][1-8])1|3([35-9][15]|4[015]):3* 3(301|322|328|331|334|338|341):4* 3:5* 15|[2-9]:4*',
  ],
  52: ['MX', '', '33|55|56|81:244 :334'],
  55: ['BR', '', ':254 :244'],
  81: ['JP', '0', '[36]:144 [5789]0:244 :234'],
  82: ['KR', '0', '2:144 2:134 :244 :234'],
  86: ['CN', '', '1[3-9]:344'],
  90: ['TR', '0', ':3322'],
  91: ['IN', '0', '[6-9]:55 11|22|33|44:244'],
  351: ['PT', '', '2[12]:234 :333'],
  852: ['HK', '', ':44'],
  886: ['TW', '0', '9:333 2:144'],
  966: ['SA', '0', ':234'],
  972: ['IL', '0', ':234 :134'],
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
  const own = digits.slice(code.length)
  const parts = grouped(own, groups)
  const region = new Intl.Locale(locale).maximize().region
  if (!parts || region === undefined || !regions.includes(region))
    return `+${code} ${parts?.join(' ') ?? inThrees(own)}`
  return code === '1' ? `(${parts[0]}) ${parts[1]}-${parts[2]}` : trunk + parts.join(' ')
}

function grouped(digits: string, plan: string): string[] | undefined {
  for (const [begins = '', groups = ''] of plan.split(' ').map((each) => each.split(':'))) {
    const whole = groups.replace(/./g, (each) => (each === '*' ? '(\\d{2,})' : `(\\d{${each}})`))
    const parts = RegExp(`^(?=${begins.replaceAll('(', '(?:')})${whole}$`).exec(digits)
    if (parts) return parts.slice(1)
  }
  return undefined
}

const inThrees = (digits: string): string => digits.replace(/\d{3}(?=\d{2})/g, '$& ')
