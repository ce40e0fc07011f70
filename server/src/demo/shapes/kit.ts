/** What a shape is drawn with: colours as #rrggbb, words as they stand on the pack. */
export type Paint = { main: string; second: string; label: string; brand: string; name: string; mark: Mark | null }
export type Mark = 'OTC 甲' | 'OTC 乙' | 'Rx'
export type Draw = (paint: Paint) => string

/** Pictures are 560 × 800 (specification §9, recommended size). */
export const WIDTH = 560
export const HEIGHT = 800
export const MIDDLE = WIDTH / 2

/** `share` of the second colour in the first: 0 is the first, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(first, at) * (1 - share) + channel(second, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
export const lighter = (colour: string, share: number) => mix(colour, '#ffffff', share)
export const darker = (colour: string, share: number) => mix(colour, '#0b1524', share)

/** Dark text on light colours, white on dark ones. */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 > 165 ? '#243041' : '#ffffff'
}

const FONT = `'PingFang SC','Noto Sans CJK SC','Microsoft YaHei','Source Han Sans SC',sans-serif`

export function text(x: number, y: number, size: number, words: string, fill: string, more = ''): string {
  const escaped = words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const type = `font-family="${FONT}" font-size="${size}" font-weight="700" text-anchor="middle"`
  return `<text x="${x}" y="${y}" ${type} fill="${fill}" ${more}>${escaped}</text>`
}

/** As wide as asked, as large as `most`: Latin letters take about half a square. */
export function fitted(x: number, y: number, width: number, most: number, words: string, fill: string): string {
  const squares = [...words].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 256 ? 0.62 : 1), 0)
  const size = Math.min(most, Math.floor(width / squares))
  return text(x, y + size * 0.36, size, words, fill)
}

/** Letters one below the other, as on tall packs. */
export function stacked(x: number, top: number, size: number, words: string, fill: string): string {
  return [...words].map((letter, index) => text(x, top + size * (0.88 + index * 1.14), size, letter, fill)).join('')
}

/** Light from the left on something round. */
export function round(id: string, colour: string): string {
  return gradient(id, [
    [0, darker(colour, 0.24)],
    [0.16, colour],
    [0.34, lighter(colour, 0.3)],
    [0.62, colour],
    [1, darker(colour, 0.3)],
  ])
}

/** From the left to the right; with `down` from the top to the bottom. */
export function gradient(id: string, stops: readonly (readonly [number, string])[], down = false): string {
  const parts = stops.map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`).join('')
  const direction = down ? 'x1="0" y1="0" x2="0" y2="1"' : 'x1="0" y1="0" x2="1" y2="0"'
  return `<linearGradient id="${id}" ${direction}>${parts}</linearGradient>`
}

export const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${more}/>`
export const circle = (x: number, y: number, radius: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${more}/>`
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`
export const line = (d: string, colour: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" ${more}/>`

/** The soft shadow that something stands on. */
export const shadow = (width: number, y = 712) => ellipse(MIDDLE, y, width / 2, 20, '#0b1524', 'opacity="0.13"')
/** Inside a shape only: `inner` is cut at `d`. */
export const clipped = (id: string, d: string, inner: string) =>
  `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${inner}</g>`
