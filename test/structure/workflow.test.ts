// The workflow of a release, read by the parser of those who run it. Nothing here runs it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'

const content = readFileSync(join(import.meta.dirname, '../../.github/workflows/release.yml'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'foyer-workflow-'))
let parser: typeof import('@actions/workflow-parser')
beforeAll(async () => {
  // The parser imports JSON as only bundlers do.
  const bundle = await rolldown({ input: '@actions/workflow-parser', platform: 'node', logLevel: 'silent' })
  await bundle.write({ file: join(folder, 'parser.js'), format: 'es' })
  parser = await import(pathToFileURL(join(folder, 'parser.js')).href)
})
afterAll(() => rmSync(folder, { recursive: true }))
const errorsOf = (text: string) =>
  parser
    .parseWorkflow({ name: 'release.yml', content: text }, new parser.NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message)

type Step = { run?: string; uses?: string }
type Job = { needs?: string; permissions?: Record<string, string>; steps: Step[] }
const { on, permissions, jobs } = parse(content) as {
  on: object
  permissions: object
  jobs: Record<string, Job>
}
const commands = ({ steps }: Job) => steps.flatMap(({ run }) => (run ? [run] : []))

it('fits the schema of workflows, which has no other names', () => {
  expect(errorsOf(content)).toEqual([])
  expect(errorsOf(content.replace('runs-on:', 'run-on:'))).not.toEqual([])
  expect(errorsOf(content.replace('needs: pack', 'needs: [pack'))).not.toEqual([])
})

it('publishes after a tag only what was tested and came out of two builds with the same bytes', () => {
  expect(on).toEqual({ push: { tags: ['v*.*.*'] } })
  expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
    ['pack', undefined],
    ['publish', 'pack'],
    ['image', 'publish'],
  ])
  const run = commands(jobs.pack as Job).map((text) => text.split('\n')[0])
  const at = (word: string) => run.findIndex((text) => text?.includes(word))
  const order = ['GITHUB_REF_NAME', 'npm ci', 'npm test', 'for time in', 'diff '].map(at)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
  expect(commands(jobs.publish as Job)).toEqual([
    expect.stringMatching(/npm view "\$package" version \|\| npm publish --provenance/),
  ])
})

it('gives only the job that publishes an identity, and no job the right to write to the repository', () => {
  expect(permissions).toEqual({ contents: 'read' })
  expect(
    Object.entries(jobs).flatMap(([name, job]) => (job.permissions ? [[name, job.permissions]] : [])),
  ).toEqual([['publish', { 'id-token': 'write' }]])
  expect(jobs.publish?.steps.some(({ uses }) => uses?.startsWith('actions/checkout'))).toBe(false)
})
