// A reader can hold a function in mind: those of the chat engine and of the server's rooms have so many lines at most.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'

const MOST_LINES = {
  ...{ chat: 150, ui: 150, embed: 150 },
  ...{ runtime: 130, api: 130, client: 130, bff: 130, cli: 130, carriers: 130, docs: 130 },
}
const src = resolve(import.meta.dirname, '../../src')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })

/** Every function of a file: its name, where it has one, and how many lines it has. */
function functionsOf(text: string, name = 'file.ts'): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = []
  const note = ({ start, end }: ESTree.Node, name = '') =>
    void found.push({ name, lines: text.slice(start, end).split('\n').length })
  const { program, errors } = parseSync(name, text)
  expect(errors).toEqual([])
  new Visitor({
    FunctionDeclaration: (node) => note(node, node.id?.name),
    FunctionExpression: (node) => note(node, node.id?.name),
    ArrowFunctionExpression: (node) => note(node),
  }).visit(program)
  return found
}

it('functions of each kind are measured', () => {
  const text = 'function a() {\n}\nconst b = () => {\n\n}\nconst c = { d() {\n\n\n} }'
  expect(functionsOf(text)).toEqual([
    { name: 'a', lines: 2 },
    { name: '', lines: 3 },
    { name: '', lines: 4 },
  ])
})

it.each(Object.entries(MOST_LINES))('no function in %s has more than %i lines', (room, most) => {
  const functions = filesBelow(join(src, room))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      functionsOf(readFileSync(path, 'utf8'), path).map(({ name, lines }) => ({
        name: `${relative(src, path)} ${name}`,
        lines,
      })),
    )
  expect(functions.length).toBeGreaterThan(10)
  expect(functions.filter(({ lines }) => lines > most).map(({ name }) => name)).toEqual([])
})
