// Compares the X-Host of a request with the host that its connector was registered for.

/**
 * True if `given` is the registered host; with `allowSubdomains` also if it is a subdomain of the registered
 * domain. A registered host may be an origin (`https://www.example.com`), a bare domain, or the namespace of
 * an app (`com.example.app`), which has no subdomains in this sense but compares the same way.
 */
export function hostMatches(registered: string, given: string, allowSubdomains: boolean): boolean {
  if (given === registered) return true
  if (!allowSubdomains) return false
  const [base, host] = [domainOf(registered), domainOf(given)]
  if (base.scheme !== host.scheme || base.domain === '') return false
  if (host.domain === base.domain) return true
  const ending = `.${base.domain}`
  return host.domain.endsWith(ending) && LABELS.test(host.domain.slice(0, -ending.length))
}

/** The labels of a subdomain: none of them is empty. */
const LABELS = /^[^.]+(\.[^.]+)*$/

function domainOf(host: string): { scheme: string; domain: string } {
  const [, scheme = '', domain = ''] = /^(https?:\/\/)?([^/?#@\s]*)$/i.exec(host) ?? []
  return { scheme: scheme.toLowerCase(), domain: domain.toLowerCase() }
}
