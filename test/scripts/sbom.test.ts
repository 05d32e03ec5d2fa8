// The CycloneDX document of a package, held against the schema of CycloneDX.

import { expect, it } from 'vitest'
import { flawsOfSbom, writeSbom } from '../../scripts/sbom.mjs'

const own = { name: 'larkspur', version: '1.0.0', licence: 'MIT' }
const notices = [
  { name: '@scope/bell', version: '2.0.0', licence: 'ISC', text: '' },
  { name: 'horn', version: '1.2.3', licence: 'BSD-3-Clause', text: '' },
]

it('names each package that is bundled, its licence and its address, and what the package is', async () => {
  const text = writeSbom(own, notices)
  expect(await flawsOfSbom(text, notices)).toEqual([])
  const { components, dependencies, metadata } = JSON.parse(text)
  expect(
    components.map(({ purl, licenses }: { purl: string; licenses: unknown }) => [purl, licenses]),
  ).toEqual([
    ['pkg:npm/%40scope/bell@2.0.0', [{ license: { id: 'ISC' } }]],
    ['pkg:npm/horn@1.2.3', [{ license: { id: 'BSD-3-Clause' } }]],
  ])
  expect(metadata.component.purl).toBe('pkg:npm/larkspur@1.0.0')
  expect(dependencies).toContainEqual({
    ref: 'pkg:npm/larkspur@1.0.0',
    dependsOn: ['pkg:npm/%40scope/bell@2.0.0', 'pkg:npm/horn@1.2.3'],
  })
})

it('is the same text for the same packages', () => {
  expect(writeSbom(own, [...notices].reverse())).toBe(writeSbom(own, notices))
})

it('without a package that is bundled, or against the schema, has a flaw', async () => {
  const text = writeSbom(own, notices.slice(1))
  expect(await flawsOfSbom(text, notices)).toEqual(['sbom: @scope/bell 2.0.0 is bundled and not named'])
  const [flaw] = await flawsOfSbom(text.replace('"library"', '"bicycle"'), [])
  expect(flaw).toContain('sbom: ')
})
