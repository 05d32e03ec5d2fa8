// Draws the icons of the page's side, as elements.

/** `path`: the lines, on a grid of 20. */
export function drawIcon(path: string): Element {
  const draw = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name)
  const icon = draw('svg')
  const lines = draw('path')
  icon.setAttribute('viewBox', '0 0 20 20')
  lines.setAttribute('d', path)
  icon.append(lines)
  return icon
}
