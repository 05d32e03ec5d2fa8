// What the tests are called, read off their source: nothing is run.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'vite'

export type Title = {
  /** The file below test/, the titles of the groups around it, and its own, each as written in the source. */
  name: string
  /** It, or a group around it, is never run. */
  skipped: boolean
  /** Of a test with a table: the names of its rows, where they stand in the same file. */
  cases: readonly string[]
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>
type Group = { titles: readonly string[]; skipped: boolean }
type Call = { kind: string; modifiers: readonly string[]; rows: Node | undefined }

const NEVER: ReadonlySet<string> = new Set(['skip', 'todo'])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** What `it`, `it.skip`, `it.each(rows)` and the like call; undefined where it is none of them. */
function callOf(callee: Node): Call | undefined {
  if (callee.type === 'Identifier')
    return /^(it|test|describe)$/.test(String(callee.name))
      ? { kind: String(callee.name), modifiers: [], rows: undefined }
      : undefined
  if (callee.type === 'MemberExpression') {
    const inner = callOf(callee.object as Node)
    return inner && { ...inner, modifiers: [...inner.modifiers, String((callee.property as Node).name)] }
  }
  if (callee.type !== 'CallExpression') return undefined
  const inner = callOf(callee.callee as Node)
  if (inner?.modifiers.length === 0) return undefined
  const [rows] = callee.arguments as Node[]
  return inner && { ...inner, rows: inner.modifiers.at(-1) === 'each' ? rows : inner.rows }
}

/** The titles of one file. `file`: its name below test/. */
export function titlesIn(file: string, source: string): Title[] {
  const program = parseSync(file, source).program as unknown as Node
  const found: Title[] = []

  const textOf = (node: Node | undefined): string | undefined => {
    if (node?.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1)
    return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
  }

  function declared(name: string, within: Node = program): Node | undefined {
    if (within.type === 'VariableDeclarator' && (within.id as Node).name === name)
      return within.init as Node | undefined
    for (const child of childrenOf(within)) {
      const init = declared(name, child)
      if (init) return init
    }
    return undefined
  }

  function casesOf(rows: Node | undefined): string[] {
    if (rows?.type === 'Identifier') return casesOf(declared(String(rows.name)))
    if (rows?.type === 'TSAsExpression') return casesOf(rows.expression as Node)
    // A long run has all of them.
    if (rows?.type === 'CallExpression' && (rows.callee as Node).name === 'some')
      return casesOf((rows.arguments as Node[])[0])
    if (rows?.type !== 'ArrayExpression') return []
    return (rows.elements as Node[]).flatMap((row) => {
      const first = row.type === 'ArrayExpression' ? (row.elements as Node[])[0] : row
      return first?.type === 'Literal' ? [String(first.value)] : []
    })
  }

  function visit(node: Node, group: Group): void {
    const call = node.type === 'CallExpression' ? callOf(node.callee as Node) : undefined
    const [first, ...rest] = call ? (node.arguments as Node[]) : []
    const text = textOf(first)
    if (!call || text === undefined) {
      for (const child of childrenOf(node)) visit(child, group)
      return
    }
    const titles = [...group.titles, text]
    const skipped = group.skipped || call.modifiers.some((modifier) => NEVER.has(modifier))
    if (call.kind === 'describe') for (const child of rest) visit(child, { titles, skipped })
    else found.push({ name: titles.join(' › '), skipped, cases: casesOf(call.rows) })
  }

  visit(program, { titles: [file], skipped: false })
  return found
}

/** The titles of every test there is. `folder`: where all tests are. */
export function readTitles(folder: string): Title[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.test\.tsx?$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      return titlesIn(relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8'))
    })
}
