// The geometry of a panel that the visitor moves and resizes. It stands at a distance from the side of the launcher and from
// the lower edge. All numbers are CSS pixels.

/** `inset`: from the side of the launcher. `bottom`: from the lower edge. */
export type Bounds = { inset: number; bottom: number; width: number; height: number }

/** The room for the panel. `floor`: the least distance from the lower edge, above the launcher. */
export type Room = { width: number; height: number; floor: number }

/** Distance from the edges of the window. */
const MARGIN = 8
const LEAST_WIDTH = 300
const LEAST_HEIGHT = 320

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/** The nearest bounds that lie inside the room. A room that is too small is filled. */
export function within(bounds: Bounds, room: Room): Bounds {
  const widest = room.width - 2 * MARGIN
  const tallest = room.height - MARGIN - room.floor
  const width = clamp(bounds.width, Math.min(LEAST_WIDTH, widest), widest)
  const height = clamp(bounds.height, Math.min(LEAST_HEIGHT, tallest), tallest)
  return {
    inset: clamp(bounds.inset, MARGIN, room.width - MARGIN - width),
    bottom: clamp(bounds.bottom, room.floor, room.height - MARGIN - height),
    width,
    height,
  }
}

/** Moves by pixels away from the side and up. */
export const move = (from: Bounds, inward: number, up: number, room: Room): Bounds =>
  within({ ...from, inset: from.inset + inward, bottom: from.bottom + up }, room)

/** Moves the corner away from the side. The corner at the launcher stays where it is. */
export function resize(from: Bounds, inward: number, up: number, room: Room): Bounds {
  const { inset, bottom, width, height } = within(from, room)
  return within(
    {
      inset,
      bottom,
      width: Math.min(width + inward, room.width - MARGIN - inset),
      height: Math.min(height + up, room.height - MARGIN - bottom),
    },
    room,
  )
}

export const writeBounds = ({ inset, bottom, width, height }: Bounds): string =>
  [inset, bottom, width, height].map(Math.round).join(' ')

/** Undefined if the text is anything but four numbers of up to five digits: scripts of the page can write there too. */
export function readBounds(text: string | undefined): Bounds | undefined {
  const [, ...digits] = text?.match(/^(\d{1,5}) (\d{1,5}) (\d{1,5}) (\d{1,5})$/) ?? []
  const [inset, bottom, width, height] = digits.map(Number)
  if (inset === undefined || bottom === undefined || width === undefined || height === undefined)
    return undefined
  return { inset, bottom, width, height }
}
