// Reads the rules of deploy/alerts.yml, and which series and labels an expression of Prometheus asks for.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

export type Rule = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string }
}

/** Throws where the file is no YAML. */
export const readRules = (): Rule[] =>
  (
    parse(readFileSync(join(resolve(import.meta.dirname, '../..'), 'deploy/alerts.yml'), 'utf8'), {
      strict: true,
      uniqueKeys: true,
    }) as { groups: { name: string; rules: Rule[] }[] }
  ).groups.flatMap(({ rules }) => rules)

/** Labels that Prometheus gives to all that it reads, and the one of classes. */
const OF_PROMETHEUS = ['job', 'instance', 'le']
/** The functions and words of expressions. */
const LANGUAGE = new Set([
  ...['absent', 'abs', 'count', 'histogram_quantile', 'increase', 'max', 'min_over_time', 'rate', 'sum'],
  ...['and', 'by', 'offset', 'on', 'unless'],
])

export type Asked = {
  series: string
  /** What the selector demands of labels; `values`: all that it names. */
  matchers: { label: string; values: string[] }[]
}

/** Throws at a word that is neither a series of Foyer nor of the language. */
export function askedBy(expr: string): { asked: Asked[]; by: string[] } {
  const asked = [...expr.matchAll(/\b(foyer_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, series = '', selector = '']) => ({
      series,
      matchers: [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', text = '']) => ({
        label,
        values: text.split('|'),
      })),
    }),
  )
  const by = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  const rest = expr
    .replace(/\bfoyer_\w+(\{[^}]*\})?/g, '')
    .replace(/\b(by|on) \([^)]*\)/g, '')
    .replace(/\b\d+(\.\d+)?[smh]?\b/g, '')
  for (const [word] of rest.matchAll(/[a-z_]\w*/gi))
    if (!LANGUAGE.has(word)) throw new Error(`${word} is not known in ${expr}`)
  return { asked, by: by.filter((label) => !OF_PROMETHEUS.includes(label)) }
}
