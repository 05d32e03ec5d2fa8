// Writes the CycloneDX document of a package: whose code its files hold. What npm installs beside the package is not in it.

import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library'

const SPEC = Spec.Spec1dot6

/** @param {{ name: string, version: string, licence: string }} own */
function componentOf({ name, version, licence }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return new Models.Component(Enums.ComponentType.Library, name, {
    ...{ version, purl, bomRef: purl },
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(licence)]),
  })
}

/**
 * The same bytes for the same packages: without a time and a serial number.
 * @param {{ name: string, version: string, licence: string }} own
 * @param {readonly import('./notices.mjs').Notice[]} notices
 */
export function writeSbom(own, notices) {
  const component = componentOf(own)
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) })
  for (const notice of notices) {
    const held = componentOf(notice)
    bom.components.add(held)
    component.dependencies.add(held.bomRef)
  }
  const factory = new Serialize.JSON.Normalize.Factory(SPEC)
  const serializer = new Serialize.JsonSerializer(factory)
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** What the schema of CycloneDX finds wrong, and packages of the notices that the document does not name. @param {string} text @param {readonly import('./notices.mjs').Notice[]} notices */
export async function flawsOfSbom(text, notices) {
  const wrong = await new Validation.JsonStrictValidator(SPEC.version).validate(text)
  const named = (JSON.parse(text).components ?? []).map(
    (/** @type {{ name: string, version: string }} */ { name, version }) => `${name} ${version}`,
  )
  const missing = notices
    .map(({ name, version }) => `${name} ${version}`)
    .filter((each) => !named.includes(each))
  return [
    ...(wrong ? [`sbom: ${JSON.stringify(wrong)}`] : []),
    ...missing.map((each) => `sbom: ${each} is bundled and not named`),
  ]
}
